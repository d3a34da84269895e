package backup;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** Says what of a tree of folders has changed since the last backup. */
public final class Backup {
  private final Catalog catalog = new Catalog();
  private int changed;

  public static void main(String[] arguments) {
    Backup backup = new Backup();
    backup.visit(Folder.tree(6));
    System.out.println(backup.changed + " files have changed");
  }

  /** Goes through a folder and what is below it. */
  private void visit(Folder folder) {
    for (Entry file : folder.files()) {
      if (hasChanged(file)) changed++;
    }
    for (Folder below : folder.folders()) visit(below);
  }

  /** Asks the catalog for each file anew. */
  private boolean hasChanged(Entry file) {
    try {
      return catalog.sizeOf(file.name()) != file.size();
    } catch (NoSuchElementException isNew) {
      return true;
    }
  }
}

final class Folder {
  private final List<Entry> files = new ArrayList<>();
  private final List<Folder> folders = new ArrayList<>();

  /** Each folder has three below it, and nine files. */
  static Folder tree(int depth) {
    Folder folder = new Folder();
    for (int i = 0; i < 9; i++) folder.files.add(new Entry("file-" + depth + "-" + i, 100 * i));
    for (int i = 0; i < 3 && depth > 1; i++) folder.folders.add(tree(depth - 1));
    return folder;
  }

  List<Entry> files() {
    return files;
  }

  List<Folder> folders() {
    return folders;
  }
}

final class Entry {
  private final String name;
  private final int size;

  Entry(String name, int size) {
    this.name = name;
    this.size = size;
  }

  String name() {
    return name;
  }

  int size() {
    return size;
  }
}

final class Catalog {
  /** Every row is looked at, from the first on. */
  int sizeOf(String name) {
    for (int row = 0; row < 60; row++) {
      if (nameAt(row).equals(name)) return sizeAt(row);
    }
    throw new NoSuchElementException(name);
  }

  private String nameAt(int row) {
    return "file-" + (1 + row / 10) + "-" + row % 8;
  }

  private int sizeAt(int row) {
    return row % 10 == 7 ? 0 : 100 * (row % 10);
  }
}

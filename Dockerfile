# An image with Copse and nothing else, as a source of files for other images and for volumes (docs/containers.md).
# scripts/package makes the archive first.
FROM debian:12-slim
ADD build/packages/copse-*-linux-x86_64.tar.gz /opt/
RUN mv /opt/copse-* /opt/copse && ln -s /opt/copse/bin/copse /usr/local/bin/copse
ENTRYPOINT ["copse"]

#include "report/model/slices.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::report {
namespace {

using Slices = ReportModel::Slices;

Status bad(const std::string& what) { return Status::error(Fault::kMalformed, "slices: " + what); }

std::string words_of(std::uint8_t as) {
  std::string words;
  for (const auto& [reason, word] :
       {std::pair(cct::kSlowest, kSlowestSlice), std::pair(cct::kMostCalls, kMostCallsSlice),
        std::pair(cct::kSample, "sample")}) {
    if ((as & reason) != 0) (words += words.empty() ? "" : ",") += word;
  }
  return words;
}

struct Context {
  std::int32_t node;
  std::uint64_t calls;
};

// Appends a slice's contexts by node, one for each, and returns their number. Those without a node are left out.
std::uint64_t append(std::vector<Context>& contexts, Slices::Contexts& to) {
  std::ranges::stable_sort(contexts, {}, &Context::node);
  const std::size_t before = to.node.size();
  for (const Context& context : contexts) {
    if (context.node < 0) continue;
    if (to.node.size() > before && to.node.back() == context.node) {
      to.calls.back() += context.calls;
    } else {
      to.node.push_back(context.node);
      to.calls.push_back(context.calls);
    }
  }
  return to.node.size() - before;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& column) {
  return std::accumulate(column.begin(), column.end(), std::uint64_t{0});
}

bool has_word(const std::string& words, std::string_view word) {
  return ("," + words + ",").find("," + std::string(word) + ",") != std::string::npos;
}

// Returns the kept slice with the median time, of the sample's slices that match.
template <typename Matches>
std::optional<std::size_t> median_of_sample(const Slices::Kept& kept, Matches matches) {
  std::vector<std::size_t> sample;
  for (std::size_t i = 0; i < kept.id.size(); ++i) {
    if (has_word(kept.kept[i], "sample") && matches(i)) sample.push_back(i);
  }
  if (sample.empty()) return std::nullopt;
  std::ranges::stable_sort(sample, {}, [&](std::size_t i) { return kept.wall_ns[i]; });
  return sample[(sample.size() - 1) / 2];
}

}  // namespace

Slices slices_of(const cct::LaidSlices& laid,
                 const std::function<std::int32_t(MethodId)>& method_row,
                 std::span<const std::int32_t> row_of) {
  Slices slices;
  slices.keep = laid.so_far.keep;
  slices.in_part = laid.so_far.in_part;
  slices.open = laid.so_far.open;
  slices.tasks_open = laid.so_far.tasks_open;
  slices.tasks_late = laid.so_far.tasks_late;
  for (const cct::SliceMeasure& measure : laid.so_far.measures) {
    slices.measures.name.push_back(measure.name);
    slices.measures.unit.push_back(measure.unit);
    slices.measures.sampled.push_back(measure.is_sampled ? 1 : 0);
  }
  const auto add_amounts = [&](const cct::SliceAmounts& amounts, std::size_t of,
                               Slices::Amounts& to) {
    for (std::size_t i = 0; i < laid.so_far.measures.size(); ++i) {
      if (amounts[i] == 0) continue;
      to.of.push_back(static_cast<std::int32_t>(of));
      to.measure.push_back(static_cast<std::int32_t>(i));
      to.amount.push_back(amounts[i] * laid.so_far.measures[i].scale);
    }
  };
  for (const auto& [method, sum] : laid.so_far.sums) {
    add_amounts(sum.amounts, slices.sums.method.size(), slices.sum_amounts);
    slices.sums.method.push_back(method_row(method));
    slices.sums.slices.push_back(sum.slices);
    slices.sums.calls.push_back(sum.calls);
    slices.sums.wall_ns.push_back(sum.wall_ns);
    for (const cct::SliceSum::Called& called : sum.called) {
      slices.calls.of.push_back(method_row(method));
      slices.calls.method.push_back(method_row(called.method));
      slices.calls.slices.push_back(called.calls.slices());
      slices.calls.calls.push_back(called.calls.calls());
      slices.calls.most.push_back(called.calls.most());
      slices.calls.most_in.push_back(called.calls.most_in());
      slices.calls.buckets.push_back(called.calls.buckets().size());
      for (const cct::CallsPerSlice::Bucket& bucket : called.calls.buckets()) {
        slices.buckets.least.push_back(bucket.least);
        slices.buckets.slices.push_back(bucket.slices);
      }
    }
  }
  for (const cct::LaidSlice& laid_out : laid.kept) {
    const cct::Slice& slice = *laid_out.slice;
    Slices::Kept& kept = slices.kept;
    add_amounts(slice.amounts, kept.id.size(), slices.kept_amounts);
    for (const cct::LaidSlice::Task& handed : laid_out.tasks) {
      slices.tasks.of.push_back(static_cast<std::int32_t>(kept.id.size()));
      slices.tasks.node.push_back(row_of[raw(handed.at)]);
      slices.tasks.tasks.push_back(handed.tasks);
      slices.tasks.calls.push_back(handed.calls);
    }
    kept.id.push_back(slice.id);
    kept.method.push_back(method_row(slice.method));
    kept.thread.push_back(valid_utf8(
        slice.thread.empty() ? "thread " + std::to_string(slice.thread_id) : slice.thread));
    kept.kept.push_back(words_of(laid_out.as));
    kept.start_ns.push_back(slice.start_ns);
    kept.wall_ns.push_back(slice.wall_ns);
    kept.cpu_ns.push_back(slice.cpu_ns);
    kept.calls.push_back(slice.calls);
    kept.calls_left_out.push_back(laid_out.calls_left_out);
    const cct::SpanIds& span = slice.span;
    const bool has_span = span.trace.front() != 0;
    kept.trace.emplace_back(has_span ? std::string(span.trace.begin(), span.trace.end()) : "");
    kept.span.emplace_back(has_span ? std::string(span.span.begin(), span.span.end()) : "");
    std::vector<Context> contexts;
    for (const auto& [node, calls] : laid_out.contexts) {
      contexts.push_back({row_of[raw(node)], calls});
    }
    kept.contexts.push_back(append(contexts, slices.contexts));
  }
  return slices;
}

void move_slices(std::span<const std::int32_t> row_of, Slices& slices) {
  Slices::Contexts moved;
  std::size_t next = 0;
  for (std::uint64_t& count : slices.kept.contexts) {
    std::vector<Context> contexts;
    for (const std::size_t end = next + count; next < end; ++next) {
      contexts.push_back({row_of[at(slices.contexts.node[next])], slices.contexts.calls[next]});
    }
    count = append(contexts, moved);
  }
  slices.contexts = std::move(moved);
  // A context that has gone is told as ROOT.
  for (std::int32_t& node : slices.tasks.node) node = std::max(row_of[at(node)], 0);
}

void move_slices(std::span<const std::int32_t> method_of, std::span<const std::int32_t> row_of,
                 Slices& slices) {
  for (std::vector<std::int32_t>* const methods :
       {&slices.sums.method, &slices.kept.method, &slices.calls.of, &slices.calls.method}) {
    renumber(method_of, *methods);
  }
  move_slices(row_of, slices);
}

Status check_slices(const ReportModel& model) {
  const Slices& slices = model.slices;
  const auto are_long = [](std::size_t length, const auto&... columns) {
    return ((columns.size() == length) && ...);
  };
  const auto are_rows = [](const std::vector<std::int32_t>& column, std::size_t limit) {
    return std::ranges::all_of(column, [&](std::int32_t row) {
      return row >= 0 && static_cast<std::size_t>(row) < limit;
    });
  };
  const auto& [sums, kept, contexts, calls, buckets, measures] = std::tie(
      slices.sums, slices.kept, slices.contexts, slices.calls, slices.buckets, slices.measures);
  if (!are_long(sums.method.size(), sums.slices, sums.calls, sums.wall_ns) ||
      !are_long(kept.id.size(), kept.method, kept.thread, kept.kept, kept.start_ns, kept.wall_ns,
                kept.cpu_ns, kept.calls, kept.calls_left_out, kept.contexts) ||
      (!kept.trace.empty() && !are_long(kept.id.size(), kept.trace)) ||
      !are_long(kept.trace.size(), kept.span) || !are_long(contexts.node.size(), contexts.calls) ||
      !are_long(calls.of.size(), calls.method, calls.slices, calls.calls, calls.most, calls.most_in,
                calls.buckets) ||
      !are_long(buckets.least.size(), buckets.slices) ||
      !are_long(measures.name.size(), measures.unit, measures.sampled) ||
      !are_long(slices.sum_amounts.of.size(), slices.sum_amounts.measure,
                slices.sum_amounts.amount) ||
      !are_long(slices.kept_amounts.of.size(), slices.kept_amounts.measure,
                slices.kept_amounts.amount) ||
      !are_long(slices.tasks.of.size(), slices.tasks.node, slices.tasks.tasks,
                slices.tasks.calls)) {
    return bad("columns differ in length");
  }
  const std::size_t methods = model.methods.name.size();
  if (!are_rows(sums.method, methods) || !are_rows(kept.method, methods) ||
      !are_rows(calls.of, methods) || !are_rows(calls.method, methods) ||
      !are_rows(contexts.node, model.nodes.parent.size()) ||
      !are_rows(slices.sum_amounts.of, sums.method.size()) ||
      !are_rows(slices.kept_amounts.of, kept.id.size()) ||
      !are_rows(slices.sum_amounts.measure, measures.name.size()) ||
      !are_rows(slices.kept_amounts.measure, measures.name.size()) ||
      !are_rows(slices.tasks.of, kept.id.size()) ||
      !are_rows(slices.tasks.node, model.nodes.parent.size())) {
    return bad("a row is out of range");
  }
  const auto has_all = [](const std::vector<std::uint64_t>& counts, std::size_t rows) {
    return std::ranges::all_of(counts, [&](std::uint64_t count) { return count <= rows; }) &&
           sum_of(counts) == rows;
  };
  if (!has_all(kept.contexts, contexts.node.size()) ||
      !has_all(calls.buckets, buckets.least.size())) {
    return bad("numbers of rows are not those of the rows");
  }
  for (std::size_t i = 0, next = 0; i < kept.id.size(); ++i) {
    std::uint64_t sum = kept.calls_left_out[i];
    for (const std::size_t end = next + kept.contexts[i]; next < end; ++next) {
      if (__builtin_add_overflow(sum, contexts.calls[next], &sum)) return bad("a sum overflows");
    }
    if (sum != kept.calls[i]) {
      return bad("calls of slice " + std::to_string(kept.id[i]) + " are not those of its contexts");
    }
  }
  return {};
}

std::uint64_t tasks_of(const Slices& slices, std::size_t kept) {
  std::uint64_t tasks = 0;
  for (std::size_t i = 0; i < slices.tasks.of.size(); ++i) {
    if (at(slices.tasks.of[i]) == kept) tasks += slices.tasks.tasks[i];
  }
  return tasks;
}

std::size_t first_context(const Slices& slices, std::size_t kept) {
  return std::accumulate(slices.kept.contexts.begin(),
                         slices.kept.contexts.begin() + static_cast<std::ptrdiff_t>(kept),
                         std::size_t{0});
}

ReportModel::Span span_of(const Slices& slices, std::size_t kept) {
  if (slices.kept.trace.empty()) return {};
  return {slices.kept.trace[kept], slices.kept.span[kept]};
}

Result<std::size_t> find_slice(const ReportModel& model, const std::string& which) {
  const Slices::Kept& kept = model.slices.kept;
  if (kept.id.empty()) {
    return Status::error(Fault::kNotFound, model.slices.keep == 0
                                               ? "the report has no slices; record it with --slice"
                                               : "no slice was followed to its end");
  }
  const auto most = [](const std::vector<std::uint64_t>& column) {
    return static_cast<std::size_t>(std::ranges::max_element(column) - column.begin());
  };
  if (which == kSlowestSlice) return most(kept.wall_ns);
  if (which == kMostCallsSlice) return most(kept.calls);
  if (which == kTypicalSlice) {
    return median_of_sample(kept, [](std::size_t) { return true; }).value_or(0);
  }
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), id);
  const auto found = std::ranges::find(kept.id, id);
  if (error == std::errc{} && end == which.data() + which.size() && found != kept.id.end()) {
    return static_cast<std::size_t>(found - kept.id.begin());
  }
  return Status::error(
      Fault::kNotFound,
      "no slice was kept under this id; slowest, most-calls and typical are there");
}

std::optional<std::size_t> typical_slice(const Slices& slices, std::int32_t method) {
  return median_of_sample(slices.kept,
                          [&](std::size_t i) { return slices.kept.method[i] == method; });
}

std::optional<std::size_t> faster_with_as_many_calls(const Slices& slices, std::size_t kept) {
  const std::vector<std::uint64_t>& wall_ns = slices.kept.wall_ns;
  const std::vector<std::uint64_t>& calls = slices.kept.calls;
  const std::optional<std::size_t> typical = typical_slice(slices, slices.kept.method[kept]);
  if (!typical || wall_ns[*typical] > wall_ns[kept] / 2 || calls[*typical] < calls[kept] ||
      slices.kept.calls_left_out[kept] != 0) {
    return std::nullopt;
  }
  const Slices::Contexts& contexts = slices.contexts;
  std::size_t other = first_context(slices, *typical);
  const std::size_t others_end = other + slices.kept.contexts[*typical];
  std::size_t row = first_context(slices, kept);
  for (const std::size_t end = row + slices.kept.contexts[kept]; row < end; ++row) {
    while (other < others_end && contexts.node[other] < contexts.node[row]) ++other;
    if (other == others_end || contexts.node[other] != contexts.node[row] ||
        contexts.calls[other] < contexts.calls[row]) {
      return std::nullopt;
    }
  }
  return typical;
}

CallsInSlices::CallsInSlices(const Slices& slices, std::size_t row) : buckets_(slices.buckets) {
  first_ = std::accumulate(slices.calls.buckets.begin(),
                           slices.calls.buckets.begin() + static_cast<std::ptrdiff_t>(row),
                           std::size_t{0});
  count_ = slices.calls.buckets[row];
  const auto of = std::ranges::find(slices.sums.method, slices.calls.of[row]);
  if (of != slices.sums.method.end()) {
    slices_ = slices.sums.slices[static_cast<std::size_t>(of - slices.sums.method.begin())];
  }
  without_ = slices_ - std::min(slices_, slices.calls.slices[row]);
}

std::uint64_t CallsInSlices::quantile(std::uint64_t thousandths) const {
  const std::uint64_t rank = std::max<std::uint64_t>(1, (slices_ * thousandths + 999) / 1000);
  std::uint64_t seen = without_;
  if (seen >= rank) return 0;
  for (std::size_t i = first_; i < first_ + count_; ++i) {
    seen += buckets_.slices[i];
    if (seen >= rank) return buckets_.least[i];
  }
  return count_ == 0 ? 0 : buckets_.least[first_ + count_ - 1];
}

}  // namespace copse::report

package roll.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.bench.Inference.Rates;
import roll.bench.llamacpp.LlamaFigure;
import roll.bench.llamacpp.LlamaFigure.Work;
import roll.bench.llamacpp.LlamaFormat;
import roll.bench.llamacpp.LlamaOutput;
import roll.decoder.DecoderParameters;

/** What llama.cpp reached, beside what was reached here with a model of the same shape. */
final class LlamaComparison {
  /** Share by which the number of weights may differ. */
  private static final double NEAR = 0.05;

  /** The batches whose limits {@code bench infer} shows. */
  private static final int READING = 1;

  private static final int MULTIPLYING = 32;

  private final PrintStream out;
  private final MachineLimits limits;
  private final Subject subject;

  /** Prints to {@code out}; {@code subject} is the model that was measured here. */
  LlamaComparison(PrintStream out, MachineLimits limits, Subject subject) {
    this.out = out;
    this.limits = limits;
    this.subject = subject;
  }

  /** A row before it is known what either reached; the test is {@code -} if llama.cpp has none. */
  private record Line(LlamaFormat format, Work work, int batch, String test, boolean same) {
    String label() {
      return switch (work) {
        case PREFILL -> format.name() + " prefill";
        case DECODING -> format.name() + " batch " + batch;
        case BOTH -> format.name() + " prompt and response";
      };
    }
  }

  /**
   * Prints one table; of several figures of the same test the best counts.
   *
   * @param outputs of llama.cpp's tools
   * @param own rates of {@code vllm}
   */
  void print(List<LlamaOutput> outputs, Map<Dtype, Rates> own) {
    outputs.forEach(this::warn);
    out.println("\nBeside llama.cpp, tokens/s. Ratio: vllm / llama.cpp. Limit: at batch 1 that of");
    out.println(
        "reading the weights, at batch 32 that of GEMM; %: the share of it that each reaches.");
    BenchTable table =
        new BenchTable(
            out,
            26,
            9,
            "format, work",
            "test",
            "llama.cpp",
            "vllm",
            "ratio",
            "limit",
            "llama.cpp %",
            "vllm %");
    lines(outputs, own).forEach((line, rate) -> table.row(row(line, rate, own)));
  }

  private void warn(LlamaOutput output) {
    output.figures().stream()
        .mapToDouble(LlamaFigure::weights)
        .filter(weights -> !same(weights))
        .distinct()
        .forEach(
            weights ->
                out.printf(
                    "%s: a model of %s weights, and not of %s as here: ratios say little%n",
                    output.file(), millions(weights), millions(size())));
  }

  private static String millions(double weights) {
    return BenchTable.number(weights / 1e6) + " M";
  }

  private double size() {
    return DecoderParameters.size(subject.spec());
  }

  private boolean same(double weights) {
    return Double.isNaN(weights) || Math.abs(weights / size() - 1) <= NEAR;
  }

  /** llama.cpp's rates, NaN where there are only ours; by format, work and batch. */
  private Map<Line, Double> lines(List<LlamaOutput> outputs, Map<Dtype, Rates> own) {
    Map<Line, Double> found = new LinkedHashMap<>();
    for (LlamaOutput output : outputs) {
      for (LlamaFigure figure : output.figures()) {
        found.merge(line(figure), figure.rate(), Math::max);
      }
    }
    own.forEach(
        (dtype, rates) -> {
          LlamaFormat format = LlamaFormat.of(dtype);
          add(found, new Line(format, Work.PREFILL, 1, "-", true));
          for (int batch : rates.decoding().keySet()) {
            add(found, new Line(format, Work.DECODING, batch, "-", true));
          }
        });
    List<String> formats =
        found.keySet().stream().map(line -> line.format().name()).distinct().toList();
    Map<Line, Double> sorted = new LinkedHashMap<>();
    found.keySet().stream()
        .sorted(
            Comparator.comparingInt((Line line) -> formats.indexOf(line.format().name()))
                .thenComparing(Line::work)
                .thenComparingInt(Line::batch))
        .forEach(line -> sorted.put(line, found.getOrDefault(line, Double.NaN)));
    return sorted;
  }

  private Line line(LlamaFigure figure) {
    boolean same = same(figure.weights());
    String test = same ? figure.test() : figure.test() + " (" + millions(figure.weights()) + ")";
    return new Line(figure.format(), figure.work(), figure.batch(), test, same);
  }

  /** Adds {@code ours} unless llama.cpp has a test of the same. */
  private static void add(Map<Line, Double> found, Line ours) {
    if (found.keySet().stream().noneMatch(line -> like(line, ours))) {
      found.put(ours, Double.NaN);
    }
  }

  private static boolean like(Line line, Line ours) {
    return line.format().equals(ours.format())
        && line.work() == ours.work()
        && (line.work() == Work.PREFILL || line.batch() == ours.batch());
  }

  private Object[] row(Line line, double theirs, Map<Dtype, Rates> own) {
    Dtype dtype = line.format().dtype();
    double ours = ours(line, dtype == null ? null : own.get(dtype));
    List<Object> row = new ArrayList<>(List.of(line.label(), line.test()));
    row.addAll(
        List.of(
            Inference.number(theirs),
            Inference.number(ours),
            Inference.number(ours / theirs),
            limit(line)));
    row.add(Inference.percent(line.same() ? share(line, theirs) : Double.NaN));
    row.add(Inference.percent(share(line, ours)));
    return row.toArray();
  }

  private static double ours(Line line, @Nullable Rates rates) {
    if (rates == null || line.work() == Work.BOTH) {
      return Double.NaN;
    }
    return line.work() == Work.PREFILL ? rates.prefill() : rates.at(line.batch());
  }

  private static String limit(Line line) {
    boolean limited = line.work() == Work.DECODING && line.format().dtype() != null;
    return limited && line.batch() == READING
        ? "reading"
        : limited && line.batch() == MULTIPLYING ? "GEMM" : "-";
  }

  private double share(Line line, double rate) {
    Dtype dtype = line.format().dtype();
    if (dtype == null || line.work() != Work.DECODING) {
      return Double.NaN;
    }
    return switch (line.batch()) {
      case READING -> limits.reading(subject, dtype, rate);
      case MULTIPLYING -> limits.multiplying(subject, dtype, rate);
      default -> Double.NaN;
    };
  }
}

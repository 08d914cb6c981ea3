package roll.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.InferSession;
import roll.bench.ConversationBench.Measured;
import roll.bench.DecodeBench.Rate;

/**
 * Compares the speed of strategies on the same weights with each other and with the machine's
 * limits. One session is open at a time.
 */
final class InferBench {
  private static final List<Integer> BATCHES = List.of(1, 8, 32, 128);
  private static final int FIRST = 26;
  private static final int CONVERSATIONS = 32;
  private static final int TURNS = 6;

  /** Number of strategies that others are compared with in conversations. */
  private static final int COMPARED = 2;

  private static final String NONE = "-";

  private final PrintStream out;
  private final MachineLimits limits;

  /** Prints to {@code out} and compares with {@code limits}. */
  InferBench(PrintStream out, MachineLimits limits) {
    this.out = out;
    this.limits = limits;
  }

  private static boolean stopped() {
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Measures the speed of decoding and prefill.
   *
   * @param strategies the others are compared with the first
   * @param loads by model
   * @param dtypes number formats to measure
   */
  void decode(
      List<BenchStrategy> strategies, Map<BenchModel, DecodeWorkload> loads, List<Dtype> dtypes) {
    out.println(
        "\nDecoding, tokens/s, prompts not counted; prefill: prompt tokens/s. Of read: weight");
    out.println(
        "bytes · tokens/s at batch 1 as a share of the reading rate; of GEMM: 2 · weights ·");
    out.println(
        "tokens/s at batch 32 as a share of the GEMM rate; outside N: share of the steps at");
    out.println("batch N that is not the native call.");
    List<String> titles = new ArrayList<>(List.of("model, dtype, strategy"));
    BATCHES.forEach(batch -> titles.add("batch " + batch));
    titles.addAll(List.of("prefill", "of read", "of GEMM", "outside 1", "outside 32", "peak MiB"));
    BenchTable table = new BenchTable(out, FIRST, 8, titles.toArray(String[]::new));
    loads.forEach(
        (subject, load) -> {
          for (Dtype dtype : dtypes) {
            decode(table, strategies, subject, load, dtype);
          }
        });
  }

  private void decode(
      BenchTable table,
      List<BenchStrategy> strategies,
      BenchModel subject,
      DecodeWorkload load,
      Dtype dtype) {
    BenchStrategy base = strategies.getFirst();
    Rates first = null;
    for (BenchStrategy served : strategies) {
      if (stopped()) {
        return;
      }
      PeakMemory.reset();
      Rates rates = rates(served, subject, load, dtype);
      String name = subject.label(dtype) + " " + served.label();
      table.row(row(name, rates, subject, dtype));
      if (first == null) {
        first = rates;
      } else {
        table.row(ratios(served.label() + " / " + base.label(), rates, first));
      }
    }
  }

  /**
   * The speed of a session.
   *
   * @param decoding by batch size
   * @param prefill prompt tokens/s
   */
  private record Rates(Map<Integer, Rate> decoding, double prefill) {
    /** Returns the tokens/s at {@code batch}; NaN if not measured. */
    double at(int batch) {
      Rate rate = decoding.get(batch);
      return rate == null ? Double.NaN : rate.rate();
    }

    /** Returns {@link Rate#overhead} at {@code batch}; NaN if not measured. */
    double overhead(int batch) {
      Rate rate = decoding.get(batch);
      return rate == null ? Double.NaN : rate.overhead();
    }
  }

  /** Measures large batches first, so that smaller ones find their prompts cached. */
  private static Rates rates(
      BenchStrategy served, BenchModel subject, DecodeWorkload load, Dtype dtype) {
    Map<Integer, Rate> rates = new TreeMap<>();
    try (InferSession session =
        served.open(subject, dtype, load.batches().getLast(), load.length())) {
      DecodeBench decoding = new DecodeBench(session, subject, load);
      double prefill = decoding.prefill();
      for (int batch : load.batches().reversed()) {
        if (!stopped()) {
          rates.put(batch, decoding.rate(batch));
        }
      }
      return new Rates(rates, prefill);
    }
  }

  private Object[] row(String name, Rates rates, BenchModel subject, Dtype dtype) {
    List<Object> row = new ArrayList<>(List.of(name));
    BATCHES.forEach(batch -> row.add(number(rates.at(batch))));
    row.add(number(rates.prefill()));
    row.add(percent(limits.reading(subject, dtype, rates.at(1))));
    row.add(percent(limits.multiplying(subject, dtype, rates.at(32))));
    row.add(percent(rates.overhead(1)));
    row.add(percent(rates.overhead(32)));
    row.add(PeakMemory.text());
    return row.toArray();
  }

  private Object[] ratios(String name, Rates rates, Rates first) {
    List<Object> row = new ArrayList<>(List.of("  " + name));
    BATCHES.forEach(batch -> row.add(number(rates.at(batch) / first.at(batch))));
    row.add(number(rates.prefill() / first.prefill()));
    return row.toArray();
  }

  /** Returns {@code number}, or a dash for NaN. */
  static String number(double number) {
    return Double.isNaN(number) ? NONE : BenchTable.number(number);
  }

  /** Returns {@code share} as a percentage, or a dash for NaN. */
  static String percent(double share) {
    return Double.isNaN(share) ? NONE : BenchTable.percent(share);
  }

  /**
   * A model for conversations.
   *
   * @param dtypes number formats to measure
   * @param rounds number of measured rounds, all different; more than one follow a warm-up round
   */
  record Talk(BenchModel subject, List<Dtype> dtypes, int rounds) {}

  /**
   * Measures conversations of several turns.
   *
   * @param strategies each is compared with the first two
   */
  void converse(List<BenchStrategy> strategies, List<Talk> talks) {
    out.printf(
        "%nConversations, %d at once, %d turns each: observations of 16 to 48 tokens, responses of"
            + " 8%nto 64. Cached: share of prompt tokens that were in the cache; outside: as"
            + " above.%n",
        CONVERSATIONS, TURNS);
    List<String> titles =
        new ArrayList<>(List.of("model, dtype, strategy", "seconds", "tokens", "tokens/s"));
    strategies.stream().limit(COMPARED).forEach(served -> titles.add("/ " + served.label()));
    titles.addAll(List.of("cached", "outside"));
    BenchTable table = new BenchTable(out, FIRST, 8, titles.toArray(String[]::new));
    for (Talk talk : talks) {
      for (Dtype dtype : talk.dtypes()) {
        List<Double> rates = new ArrayList<>();
        for (BenchStrategy served : strategies) {
          if (!stopped()) {
            table.row(conversation(served, talk, dtype, rates));
          }
        }
      }
    }
  }

  private static Object[] conversation(
      BenchStrategy served, Talk talk, Dtype dtype, List<Double> rates) {
    BenchModel subject = talk.subject();
    ConversationBench conversations = new ConversationBench(subject, TURNS);
    Measured said;
    Map<String, Double> metrics;
    try (InferSession session =
        served.open(subject, dtype, CONVERSATIONS, conversations.length())) {
      if (talk.rounds() > 1) {
        conversations.hold(session, CONVERSATIONS, 0);
      }
      session.metrics();
      said = conversations.hold(session, CONVERSATIONS, 1);
      for (int round = 2; round <= talk.rounds(); round++) {
        said = said.and(conversations.hold(session, CONVERSATIONS, round));
      }
      metrics = session.metrics();
    }
    rates.add(said.rate());
    List<Object> row = new ArrayList<>();
    row.add(subject.label(dtype) + " " + served.label());
    row.addAll(List.of(said.seconds(), said.tokens(), said.rate()));
    for (int i = 0; i < COMPARED; i++) {
      row.add(number(i < rates.size() ? said.rate() / rates.get(i) : Double.NaN));
    }
    row.add(percent(metrics.getOrDefault("vllm/prefix_cache_hit_rate", Double.NaN)));
    row.add(percent(metrics.getOrDefault(DecodeBench.OVERHEAD, Double.NaN)));
    return row.toArray();
  }
}

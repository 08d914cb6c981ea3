package roll.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.runtime.option.YamlOptions;
import roll.text.Suggestion;
import roll.torch.Device;

/**
 * {@code bench card}: what a card reaches in the phases of a step, beside the figures of others. On
 * a machine without a card it measures the processor with a small model.
 */
final class CardBench {
  /** The parts, in their order. */
  static final List<String> PARTS =
      List.of("decode", "eager", "invariant", "single", "prefill", "train", "score", "weights");

  /** Parts that train all weights, for which a card has no room with the larger model. */
  private static final Set<String> WHOLE = Set.of("score", "weights");

  /** Rate of an H100 in bf16, FLOP/s. */
  private static final double H100 = 989e12;

  private static final int SINGLE = 128;

  private final CardReport report;
  private final Device device;
  private final BenchModel subject;
  private final CardWorkload load;
  private final BenchStrategy engine;
  private final TrainStrategy trainer;
  private final Dtype dtype;

  /** Measures {@code subject}, whose folder has no weights, on {@code device}. */
  CardBench(
      CardReport report,
      Device device,
      BenchModel subject,
      CardWorkload load,
      BenchStrategy engine,
      TrainStrategy trainer) {
    this.report = report;
    this.device = device;
    this.subject = subject;
    this.load = load;
    this.engine = engine;
    this.trainer = trainer;
    this.dtype = device.accelerated() ? Dtype.BF16 : Dtype.FP32;
  }

  /**
   * Measures the parts named in {@code words}, or all.
   *
   * @throws UserException if there is no such part
   */
  void run(List<String> words) throws IOException {
    for (String word : words) {
      if (!PARTS.contains(word)) {
        throw new UserException(
            "bench card: unexpected '%s' (allowed: %s)%s"
                .formatted(word, String.join(", ", PARTS), Suggestion.near(word, PARTS)));
      }
    }
    for (String part : PARTS) {
      boolean wanted =
          words.isEmpty() ? !load.adapters() || !WHOLE.contains(part) : words.contains(part);
      if (wanted && !Thread.currentThread().isInterrupted()) {
        switch (part) {
          case "decode" -> decode("decode", engine, "24,121 nano-vllm, 17,711 vLLM 0.10 (A800)");
          case "eager" -> decode("no CUDA graphs", eager(), "");
          case "invariant" -> decode("batch_invariant", engine.invariant(), "");
          case "single" -> single();
          case "prefill" -> prefill();
          case "score" -> score();
          case "train" -> train();
          default -> weights();
        }
      }
    }
  }

  private InferSession session() {
    return session(engine);
  }

  private InferSession session(BenchStrategy strategy) {
    return strategy.open(subject, dtype, load.sequences(), 2 * load.longest() + SINGLE + 2);
  }

  private BenchStrategy eager() {
    return engine.with("vllm", Map.of("enforce_eager", true));
  }

  /** Decodes by {@code strategy}; a strategy that refuses this device has a row that says so. */
  private void decode(String name, BenchStrategy strategy, String anchor) throws IOException {
    RandomGenerator random = RandomStreams.of(0, "card");
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < load.sequences(); i++) {
      int[] prompt = prompt(random.nextInt(load.shortest(), load.longest() + 1));
      int response = random.nextInt(load.shortest(), load.longest() + 1);
      requests.add(new GenerationRequest(prompt, sampling(response), List.of(), i));
    }
    try (InferSession session = session(strategy)) {
      generate(session, requests.subList(0, 4));
      long begun = System.nanoTime();
      int tokens =
          generate(session, requests).stream().mapToInt(each -> each.tokens().length).sum();
      double seconds = (System.nanoTime() - begun) * 1e-9;
      report.add(
          "%s, %d sequences, %d tokens".formatted(name, load.sequences(), tokens),
          BenchTable.number(tokens / seconds) + " tokens/s",
          load.adapters() ? "" : anchor);
    } catch (UserException refusal) {
      report.add(name, "refused", refusal.getMessage());
    }
  }

  private void single() throws IOException {
    try (InferSession session = session()) {
      List<GenerationRequest> one =
          List.of(new GenerationRequest(prompt(16), sampling(SINGLE + 1), List.of(), 1));
      List<GenerationRequest> first =
          List.of(new GenerationRequest(prompt(16), sampling(1), List.of(), 1));
      generate(session, one);
      double seconds = best(() -> generate(session, one)) - best(() -> generate(session, first));
      report.add(
          "one sequence, %d tokens".formatted(SINGLE),
          BenchTable.number(1e3 * seconds / SINGLE) + " ms a token",
          load.adapters() ? "" : "2.4 SGLang (0.6 B, H20)");
    }
  }

  private void prefill() throws IOException {
    List<GenerationRequest> requests =
        IntStream.range(0, load.samples())
            .mapToObj(i -> new GenerationRequest(prompt(load.longest()), sampling(1), List.of(), i))
            .toList();
    try (InferSession session =
        engine
            .with("vllm", Map.of("enable_prefix_caching", false))
            .open(subject, dtype, load.sequences(), 2 * load.longest())) {
      generate(session, requests);
      double seconds = best(() -> generate(session, requests));
      report.add(
          "prefill, %d prompts of %d".formatted(load.samples(), load.longest()),
          BenchTable.number(load.samples() * load.longest() / seconds) + " tokens/s",
          "");
    }
  }

  private void score() throws IOException {
    TokenBatch batch = TrainBench.batch(subject);
    try (TrainSession session = trainer.open(config())) {
      var unused = session.score(batch).join();
      double seconds = best(() -> session.score(batch).join());
      report.add(
          "log-probs, %d x %d".formatted(subject.samples(), subject.length()),
          BenchTable.number(batch.tokens().length / seconds) + " tokens/s",
          "");
    }
  }

  private void train() throws IOException {
    BenchModel trained = load.adapters() ? subject.withAdapters() : subject;
    String figure =
        device.call(
            () -> {
              TrainBench.Step step;
              try (TrainBench training = new TrainBench(device, trained, dtype, false, 1)) {
                step = training.best(3);
              }
              double rate = trained.trainingFlops() / step.seconds();
              double limit;
              try (Gemm gemm = new Gemm(device, 4)) {
                limit = gemm.model(subject, dtype);
              }
              String share =
                  device.accelerated() ? ", %s of an H100".formatted(percent(rate / H100)) : "";
              return "%s tokens/s, %s GFLOP/s, %s of GEMM%s"
                  .formatted(
                      BenchTable.number(subject.tokens() / step.seconds()),
                      BenchTable.number(rate * 1e-9),
                      percent(rate / limit),
                      share);
            });
    report.add(
        "training, %d x %d, %s"
            .formatted(subject.samples(), subject.length(), load.adapters() ? "LoRA" : "AdamW"),
        figure,
        load.adapters() ? "" : "26,000, 17-24 % prime-rl (0.6 B)");
  }

  private void weights() throws IOException {
    try (TrainSession training = trainer.open(config());
        InferSession session = session()) {
      List<GenerationRequest> one =
          List.of(new GenerationRequest(prompt(16), sampling(1), List.of(), 1));
      session.update(training.weights()).join();
      double plain = best(() -> generate(session, one));
      double updated =
          best(
              () -> {
                session.update(training.weights()).join();
                return generate(session, one);
              });
      report.add(
          "weights to the engine",
          BenchTable.number(1e3 * Math.max(0, updated - plain)) + " ms",
          "120 verl, colocated (7 B)");
    }
  }

  private SessionConfig config() {
    TrainingConfig training =
        new TrainingConfig(1e-6, 0, 0.9, 0.999, load.samples(), 1, "constant", 0, 100);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_train",
            ModelConfig.of(subject.folder(), dtype),
            "native",
            "local_train",
            YamlOptions.strategy("actor_train", Map.of()),
            training,
            engine.devices(),
            load.samples());
    return new SessionConfig(worker, 1, 1, load.length(), true, 0);
  }

  private int[] prompt(int length) {
    return RandomStreams.of(1, "card prompt", length)
        .ints(length, 0, subject.spec().vocabulary())
        .toArray();
  }

  private static Sampling sampling(int tokens) {
    return Sampling.of(tokens).withTemperature(0.6);
  }

  private static List<Generation> generate(InferSession session, List<GenerationRequest> list) {
    return session.generate(list).join();
  }

  /** Work that is timed. */
  private interface Work {
    Object run();
  }

  /** Returns the seconds of the fastest of three runs. */
  private static double best(Work work) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 3; i++) {
      long begun = System.nanoTime();
      var unused = work.run();
      best = Math.min(best, (System.nanoTime() - begun) * 1e-9);
    }
    return best;
  }

  private static String percent(double share) {
    return BenchTable.percent(share);
  }
}

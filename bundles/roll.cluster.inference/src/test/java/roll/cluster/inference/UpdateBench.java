package roll.cluster.inference;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.model.Rope;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.cluster.identity.AuthorityFile;
import roll.cluster.identity.Identity;
import roll.decoder.DecoderParameters;
import roll.runtime.option.YamlOptions;

/**
 * Prints how long updates of 105 million weights take through a pool of two processes.
 *
 * <pre>
 * first ADDRESS tls|clear fp32|bf16 DIR TIMES  the first node, which waits for the other one
 * node ADDRESS FIRST:PORT tls|clear DIR        the other one, until it is killed
 * </pre>
 */
final class UpdateBench {
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "qwen2",
          32768,
          768,
          2560,
          11,
          new DecoderSpec.Attention(12, 2, 64),
          Rope.standard(10000, 64),
          2048,
          1e-6,
          Set.of(DecoderSpec.Trait.TIED_HEAD),
          0.02);

  private UpdateBench() {}

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("first")) {
      first(arguments);
      System.exit(0);
    }
    int colon = arguments[2].lastIndexOf(':');
    InetSocketAddress first =
        new InetSocketAddress(
            InetAddress.ofLiteral(arguments[2].substring(0, colon)),
            Integer.parseInt(arguments[2].substring(colon + 1)));
    TestNode node = node("other", arguments[1], first, arguments[3], arguments[4]);
    node.offer(new TakingStrategy());
    var unused = node.membership.ended().get();
    System.exit(0);
  }

  private static TestNode node(
      String name, String at, @Nullable InetSocketAddress first, String kind, String folder)
      throws Exception {
    Identity identity =
        kind.equals("tls")
            ? AuthorityFile.open(Path.of(folder, "authority.pem"), "bench").identity(name)
            : null;
    return new TestNode(Path.of(folder), name, InetAddress.ofLiteral(at), first, identity);
  }

  private static void first(String[] arguments) throws Exception {
    Dtype dtype = arguments[3].equals("bf16") ? Dtype.BF16 : Dtype.FP32;
    long bytes = DecoderParameters.size(SPEC) * (dtype == Dtype.BF16 ? 2 : 4);
    try (Arena arena = Arena.ofShared();
        TestNode first = node("first", arguments[1], null, arguments[2], arguments[4]);
        InferSession pool =
            first
                .placement()
                .open(
                    config(arguments[4], dtype),
                    new TakingStrategy(),
                    line -> System.out.println(line))) {
      System.out.println("at " + arguments[1] + ":" + first.membership.self().port());
      TestNode.await(() -> pool.metrics().get("cluster/engines") == 2);
      MemorySegment numbers = random(arena);
      for (int version = 1; version <= Integer.parseInt(arguments[5]); version++) {
        long begun = System.nanoTime();
        CompletableFuture<Void> update = pool.update(FilledWeights.of(version, numbers));
        double copied = (System.nanoTime() - begun) / 1e9;
        update.join();
        while (pool.metrics().get("taken") != version) {
          Thread.sleep(5);
        }
        double took = (System.nanoTime() - begun) / 1e9 - copied;
        System.out.printf(
            "%s %s: %.0f MB, waited %.4f s for the copy, %.1f %% of %.3f s; %.0f MB/s%n",
            arguments[2],
            dtype,
            bytes / 1e6,
            copied,
            100 * copied / took,
            took,
            bytes / 1e6 / took);
      }
    }
  }

  private static SessionConfig config(String folder, Dtype dtype) throws Exception {
    Path model = Path.of(folder, "model");
    Files.createDirectories(model);
    Files.writeString(model.resolve("config.json"), "{}");
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(model, dtype),
            "native",
            "seeded",
            YamlOptions.strategy("actor_infer", Map.of()),
            TrainingConfig.NONE,
            List.of(),
            4);
    return new SessionConfig(worker, 1, 1.0, 64, true, 0);
  }

  private static MemorySegment random(Arena arena) {
    MemorySegment numbers = arena.allocate(4 * DecoderParameters.size(SPEC), 64);
    SplittableRandom random = new SplittableRandom(1);
    for (long i = 0; i < numbers.byteSize() / 4; i++) {
      numbers.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    return numbers;
  }

  /** Weights of {@link #SPEC} that lie one behind the other. */
  private record FilledWeights(long version, MemorySegment numbers, long[] starts)
      implements ReadableWeights {
    static FilledWeights of(long version, MemorySegment numbers) {
      List<DecoderSpec.Parameter> all = DecoderParameters.of(SPEC);
      long[] starts = new long[all.size() + 1];
      for (int i = 0; i < all.size(); i++) {
        starts[i + 1] = starts[i] + all.get(i).size();
      }
      return new FilledWeights(version, numbers, starts);
    }

    @Override
    public DecoderSpec spec() {
      return SPEC;
    }

    @Override
    public void read(int index, long first, MemorySegment target) {
      MemorySegment.copy(numbers, 4 * (starts[index] + first), target, 0, target.byteSize());
    }
  }

  /** Takes weights, and does nothing with them. */
  private static final class TakingStrategy implements InferStrategy {
    @Override
    public InferSession open(SessionConfig config) {
      return new TakingSession();
    }
  }

  private static final class TakingSession implements InferSession {
    private volatile long version;

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      return CompletableFuture.failedFuture(new UnsupportedOperationException());
    }

    @Override
    public CompletableFuture<Scores> score(TokenBatch batch) {
      return CompletableFuture.failedFuture(new UnsupportedOperationException());
    }

    @Override
    public CompletableFuture<Void> update(WeightsHandle weights) {
      version = weights.version();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public Map<String, Double> metrics() {
      return Map.of("taken", (double) version);
    }

    @Override
    public List<SessionMemory> peakMemory() {
      return List.of();
    }

    @Override
    public void close() {}
  }
}

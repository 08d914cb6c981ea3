package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.OptimizerStep;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.training.AdamW;
import roll.torch.training.TrainState.Kind;

/** How long a model of 113 million weights takes at ZeRO's stage 3, by the ranks that live here. */
public final class ZeroBench {
  private static final int VOCABULARY = 512;
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "bench",
          VOCABULARY,
          768,
          3072,
          12,
          new Attention(12, 12, 64),
          Rope.standard(1e4, 64),
          1024,
          1e-5,
          EnumSet.of(Trait.TIED_HEAD),
          0.02);
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.1, 1.0);

  private ZeroBench() {}

  /**
   * What is measured.
   *
   * @param steps how many, after one that is not counted
   * @param samples of a step
   * @param length tokens of a sample
   * @param micro samples of a micro-batch
   */
  public record Shape(int steps, int samples, int length, int micro) {}

  /** Ranks of {@code size} processes. */
  public static RankGroup group(int size) {
    List<RankLocation> members =
        IntStream.range(0, size)
            .mapToObj(r -> new RankLocation("process-" + r, "127.0.0.1", RankLocation.CPU))
            .toList();
    return new RankGroup("bench", 1, members, Duration.ofMinutes(5));
  }

  /** Trains, and reads all weights after each step; says the seconds of each. */
  public static void run(Collectives collectives, RankGroup world, LocalProcess site, Shape shape) {
    ParallelLayout layout =
        new ParallelLayout(
            world.size(),
            1,
            1,
            3,
            false,
            ParallelLayout.Recompute.FULL,
            100_000,
            true,
            Offload.NOTHING);
    List<Device> devices = world.ranks(site.process()).stream().map(rank -> Device.cpu(1)).toList();
    Precision precision = Precision.of(Dtype.FP32);
    ThreadedRanks ranks =
        new ThreadedRanks(devices, SPEC, precision, layout, true, collectives, world, site, null);
    Cutting cutting = new Cutting.Samples(shape.micro());
    try (LocalRanks here = new LocalRanks(ranks, layout, precision, List.of(), cutting, cutting);
        Arena arena = Arena.ofShared()) {
      ShardedState state =
          new ShardedState(
              SPEC, new RankProcesses(List.of(here), collectives), layout.trained(SPEC));
      fill(state);
      MemorySegment copy = arena.allocate(ValueLayout.JAVA_FLOAT, DecoderParameters.size(SPEC));
      for (int number = 0; number <= shape.steps(); number++) {
        long processor = processor();
        long begun = System.nanoTime();
        double norm = here.accumulate(batch(number, shape), new ZeroRanks.Loss()).join();
        long accumulated = System.nanoTime();
        boolean done = here.step(new OptimizerStep(number + 1, 1e-4, norm, SETTINGS)).join();
        long stepped = System.nanoTime();
        long used = processor() - processor;
        read(state, copy);
        System.out.printf(
            "%s %d: gradients %.2f s, step %.2f s, processor %.2f s; weights read %.2f s, processor"
                + " %.2f s; %s%n",
            site.process().isEmpty() ? "threads" : site.process(),
            number,
            (accumulated - begun) * 1e-9,
            (stepped - accumulated) * 1e-9,
            used * 1e-9,
            (System.nanoTime() - stepped) * 1e-9,
            (processor() - processor - used) * 1e-9,
            done ? Double.toHexString(norm) : "no step");
      }
    } finally {
      devices.forEach(Device::close);
    }
  }

  private static long processor() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private static TokenBatch batch(long seed, Shape shape) {
    RandomGenerator random = RandomStreams.of(seed, "batch");
    int[] offsets =
        IntStream.rangeClosed(0, shape.samples()).map(i -> i * shape.length()).toArray();
    int tokens = shape.samples() * shape.length();
    boolean[] scored = new boolean[tokens];
    for (int t = 0; t < tokens; t++) {
      scored[t] = t % shape.length() > 0;
    }
    return new TokenBatch(offsets, random.ints(tokens, 0, VOCABULARY).toArray(), scored);
  }

  private static void fill(ShardedState state) {
    RandomGenerator random = RandomStreams.of(3, "weights");
    for (int i = 0; i < DecoderParameters.of(SPEC).size(); i++) {
      boolean norm = DecoderParameters.of(SPEC).get(i).shape().size() == 1;
      try (Arena arena = Arena.ofShared()) {
        long size = DecoderParameters.of(SPEC).get(i).size();
        MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, size);
        for (long n = 0; n < size; n++) {
          float number = norm ? 1 : (random.nextFloat() - 0.5f) * 0.06f;
          numbers.setAtIndex(ValueLayout.JAVA_FLOAT, n, number);
        }
        state.write(Kind.WEIGHT, i, 0, numbers);
      }
    }
    state.resume(0);
  }

  /** As a rollout engine or the pool copies them. */
  private static void read(ShardedState state, MemorySegment to) {
    long at = 0;
    for (int i = 0; i < DecoderParameters.of(SPEC).size(); i++) {
      long bytes = DecoderParameters.of(SPEC).get(i).size() * Float.BYTES;
      state.read(i, 0, to.asSlice(at, bytes));
      at += bytes;
    }
  }
}

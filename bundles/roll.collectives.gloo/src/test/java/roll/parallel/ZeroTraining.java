package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.SegmentState;
import roll.parallel.world.MicroBatchLoss;
import roll.parallel.world.OptimizerStep;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Parameters;
import roll.torch.training.AdamW;
import roll.torch.training.TrainState.Kind;

/** Training of a small model with ZeRO stage 3, by the ranks of this process. */
public final class ZeroTraining {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(64, 32, 48, 4, 8, 4, Set.of(Trait.TIED_HEAD));
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.1, 1.0);

  private ZeroTraining() {}

  /** A loss that depends on its arguments only. */
  static final class Loss implements MicroBatchLoss {
    @Override
    public double @Nullable [][] evaluate(int number, int rank, double[][] columns) {
      if (columns.length == 0) {
        return null;
      }
      double[][] by = new double[columns.length][];
      for (int c = 0; c < by.length; c++) {
        by[c] = new double[columns[c].length];
        for (int i = 0; i < by[c].length; i++) {
          by[c][i] = (c == 0 ? -1 : -0.1) * (1 + 0.1 * Math.sin(columns[c][i])) / 40;
        }
      }
      return by;
    }

    @Override
    public void abort(Throwable cause) {}
  }

  private static TokenBatch batch(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "batch");
    int[] offsets = new int[10];
    for (int i = 0; i < 9; i++) {
      offsets[i + 1] = offsets[i] + 3 + random.nextInt(18);
    }
    boolean[] scored = new boolean[offsets[9]];
    for (int i = 0; i < 9; i++) {
      Arrays.fill(scored, offsets[i] + 1, offsets[i + 1], true);
    }
    return new TokenBatch(offsets, random.ints(offsets[9], 0, 64).toArray(), scored);
  }

  /**
   * Trains three steps.
   *
   * @return a hash of the weights and moments of each rank of this process
   */
  public static List<String> train(Collectives collectives, RankGroup world, LocalProcess site) {
    ParallelLayout layout =
        new ParallelLayout(
            world.size(), 1, 1, 3, false, ParallelLayout.Recompute.FULL, 40, true, Offload.NOTHING);
    List<Device> devices = world.ranks(site.process()).stream().map(rank -> Device.cpu(1)).toList();
    Precision precision = Precision.of(Dtype.FP32);
    ThreadedRanks ranks =
        new ThreadedRanks(devices, SPEC, precision, layout, true, collectives, world, site, null);
    Cutting cutting = new Cutting.Samples(2);
    try (LocalRanks here = new LocalRanks(ranks, layout, precision, List.of(), cutting, cutting)) {
      ShardedState state =
          new ShardedState(
              SPEC, new RankProcesses(List.of(here), collectives), layout.trained(SPEC));
      Device first = devices.getFirst();
      boolean filled = first.call(() -> fill(first, state));
      state.resume(filled ? 0 : -1);
      for (int number = 1; number <= 3; number++) {
        double norm = here.accumulate(batch(number), new Loss()).join();
        if (!here.step(new OptimizerStep(number, 1e-3, norm, SETTINGS)).join()) {
          throw new IllegalStateException("the ranks made no step");
        }
      }
      return ranks.ranks().stream()
          .map(rank -> rank.device().call(() -> hash(rank, layout.data())))
          .toList();
    } finally {
      devices.forEach(Device::close);
    }
  }

  private static boolean fill(Device device, ShardedState state) {
    try (Parameters whole = Parameters.random(device, SPEC, 7)) {
      for (int i = 0; i < DecoderParameters.of(SPEC).size(); i++) {
        int size = Math.toIntExact(DecoderParameters.of(SPEC).get(i).size());
        try (Arena arena = Arena.ofShared()) {
          MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, size);
          whole.read(i, 0, numbers);
          state.write(Kind.WEIGHT, i, 0, numbers);
        }
      }
    }
    return true;
  }

  private static String hash(Rank rank, int shares) {
    int hash = 0;
    for (SegmentState state : rank.shards().states()) {
      int count = Math.toIntExact(state.segment().size() / shares);
      for (var store : List.of(state.share(), state.first(), state.second())) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, count);
          store.read(0, numbers);
          hash = 31 * hash + Arrays.hashCode(numbers.toArray(ValueLayout.JAVA_FLOAT));
        }
      }
    }
    return Integer.toHexString(hash);
  }
}

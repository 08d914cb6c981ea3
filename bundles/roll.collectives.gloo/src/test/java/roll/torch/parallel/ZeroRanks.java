package roll.torch.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.random.RandomGenerator;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.collective.Collectives;
import roll.torch.collective.RankGroup;
import roll.torch.collective.RankSite;
import roll.torch.model.Parameters;
import roll.torch.parallel.shard.Offload;
import roll.torch.parallel.shard.ParallelLayout;
import roll.torch.parallel.shard.SegmentState;
import roll.torch.training.AdamW;
import roll.torch.training.HeadLoss;
import roll.torch.training.TrainState.Kind;

/** Training of a small model at ZeRO's stage 3, by the ranks that live here. */
public final class ZeroRanks {
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "test",
          64,
          32,
          48,
          4,
          new Attention(8, 4, 8),
          Rope.standard(1e4, 8),
          64,
          1e-5,
          EnumSet.of(Trait.TIED_HEAD),
          0.2);
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.1, 1.0);

  private ZeroRanks() {}

  /** Adds up what it is told, so that the order can be seen. */
  private static final class Loss implements HeadLoss {
    float sum;

    @Override
    public double[][] evaluate(int[] samples, double[][] columns) {
      double[][] by = new double[columns.length][];
      for (int c = 0; c < by.length; c++) {
        by[c] = new double[columns[c].length];
        for (int i = 0; i < by[c].length; i++) {
          by[c][i] = (c == 0 ? -1 : -0.1) * (1 + 0.1 * Math.sin(columns[c][i])) / 40;
          sum = 0.99f * sum + (float) columns[c][i];
        }
      }
      return by;
    }
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
   * Three steps.
   *
   * @return a line for each rank here: hashes of its weights and moments, and what its loss heard
   */
  public static List<String> train(Collectives collectives, RankGroup world, RankSite site) {
    ParallelLayout layout =
        new ParallelLayout(
            world.size(), 1, 1, 3, false, ParallelLayout.Recompute.FULL, 40, true, Offload.NOTHING);
    List<Device> devices = world.ranks(site.process()).stream().map(rank -> Device.cpu(1)).toList();
    Ranks ranks =
        new Ranks(devices, SPEC, Precision.of(Dtype.FP32), layout, true, collectives, world, site);
    try {
      ShardedState state = new ShardedState(SPEC, layout, ranks);
      Device first = devices.getFirst();
      boolean filled = first.call(() -> fill(first, state));
      state.resume(filled ? 0 : -1);
      Loss loss = new Loss();
      for (int step = 0; step < 3; step++) {
        step(ranks, layout, batch(step), loss, step);
      }
      List<String> lines = new ArrayList<>();
      for (Rank rank : ranks.ranks()) {
        lines.add(
            rank.device().call(() -> hash(rank, layout.data()))
                + " "
                + Float.floatToIntBits(loss.sum));
      }
      return lines;
    } finally {
      ranks.close();
      devices.forEach(Device::close);
    }
  }

  private static boolean fill(Device device, ShardedState state) {
    try (Parameters whole = Parameters.random(device, SPEC, 7)) {
      for (int i = 0; i < DecoderParameters.of(SPEC).size(); i++) {
        int size = Math.toIntExact(DecoderParameters.of(SPEC).get(i).size());
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, size);
          whole.read(i, 0, numbers);
          state.write(Kind.WEIGHT, i, 0, numbers);
        }
      }
    }
    return true;
  }

  private static void step(
      Ranks ranks, ParallelLayout layout, TokenBatch batch, HeadLoss loss, int number) {
    ShardedBatch work = ShardedBatch.of(batch, layout, new Cutting.Samples(2));
    OrderedLoss ordered = new OrderedLoss(loss, ranks.alone());
    double norm =
        ranks
            .all(
                rank -> {
                  rank.accumulate(work, ordered);
                  return rank.reduce();
                },
                ordered::abort)
            .getFirst();
    List<Boolean> done =
        ranks.all(
            rank -> {
              rank.step(number + 1, 1e-3, norm, SETTINGS);
              rank.rest();
              return true;
            },
            failure -> {});
    if (done.contains(false)) {
      throw new IllegalStateException("a rank made no step");
    }
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

package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
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
import roll.parallel.collective.ThreadCollectives;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.OptimizerStep;
import roll.testkit.SmallVisionDecoder;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Parameters;
import roll.torch.model.TrainedParameters;
import roll.torch.training.AdamW;
import roll.torch.training.GradientAccumulator;
import roll.torch.training.HeadOutputLoss;
import roll.torch.training.Optimizer;
import roll.torch.training.TrainState.Kind;
import roll.torch.vision.PicturePatches;

/** The same training on one device and on ranks. */
final class ShardedFixtures {
  static final int VOCABULARY = 64;
  static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.1, 1.0);
  private static final Precision PRECISION = Precision.of(Dtype.FP32);
  private static final double RATE = 1e-3;
  private static final int MICRO = 2;

  private ShardedFixtures() {}

  static DecoderSpec spec(int layers, Set<Trait> traits) {
    return new DecoderSpec(
        "test",
        VOCABULARY,
        32,
        48,
        layers,
        new Attention(8, 4, 8),
        Rope.standard(1e4, 8),
        64,
        1e-5,
        traits,
        0.2);
  }

  /** Nine samples of 3 to 20 tokens, of one of which no token is scored. */
  static TokenBatch batch(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "batch");
    int count = 9;
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      offsets[i + 1] = offsets[i] + 3 + random.nextInt(18);
    }
    int[] tokens = random.ints(offsets[count], 0, VOCABULARY).toArray();
    boolean[] scored = new boolean[offsets[count]];
    for (int i = 1; i < count; i++) {
      for (int t = offsets[i] + 2; t < offsets[i + 1]; t++) {
        scored[t] = random.nextInt(4) > 0;
      }
      scored[offsets[i] + 1] = true;
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  /** Returns a batch for one step of {@code spec}. */
  static TokenBatch batch(DecoderSpec spec, long seed) {
    return spec.vision() == null ? batch(seed) : seen(seed);
  }

  /** Several samples show something, or one of them, or none. */
  private static TokenBatch seen(long seed) {
    TokenBatch all = SmallVisionDecoder.batch();
    List<List<Picture>> pictures =
        seed % 3 == 0
            ? all.pictures()
            : seed % 3 == 1 ? List.of(all.pictures(0), List.of(), List.of()) : List.of();
    return new TokenBatch(all.offsets(), all.tokens(), all.scored(), pictures);
  }

  /** Returns its patches, or null. */
  static @Nullable PicturePatches patches(DecoderSpec spec) {
    return spec.vision() == null
        ? null
        : new PicturePatches(SmallVisionDecoder.TOWER, SmallVisionDecoder::processor);
  }

  /** Returns derivatives that depend on the columns. */
  static double[][] loss(int[] samples, double[][] columns) {
    double[][] by = new double[columns.length][];
    for (int c = 0; c < by.length; c++) {
      by[c] = new double[columns[c].length];
      for (int i = 0; i < by[c].length; i++) {
        by[c][i] = (c == 0 ? -1 : -0.1) * (1 + 0.1 * Math.sin(columns[c][i])) / 40;
      }
    }
    return by;
  }

  /**
   * All weights on one device, at the start and after each of {@code steps} steps, while what
   * {@code frozen} begins the names of is not trained.
   */
  static List<List<float[]>> alone(
      Device device, DecoderSpec spec, List<String> frozen, int steps) {
    return device.call(
        () -> {
          Parameters parameters = Parameters.random(device, spec, 7);
          parameters.train(TrainedParameters.allBut(spec, "test", frozen));
          try (parameters;
              GradientAccumulator sum =
                  new GradientAccumulator(
                      device, parameters, PRECISION, 64, patches(spec), true, 1);
              Optimizer optimizer = new Optimizer(device, parameters.trained(), SETTINGS)) {
            List<List<float[]>> weights = new ArrayList<>(List.of(numbers(parameters)));
            for (int step = 0; step < steps; step++) {
              TokenBatch batch = batch(spec, step);
              sum.run(batch, new Cutting.Samples(MICRO), ShardedFixtures::loss, 1);
              optimizer.step(sum.gradients().tensors(), RATE);
              weights.add(numbers(parameters));
            }
            return weights;
          }
        });
  }

  private static List<float[]> numbers(Parameters parameters) {
    return IntStream.range(0, parameters.tensors().size())
        .mapToObj(i -> parameters.memory(i).toArray(ValueLayout.JAVA_FLOAT))
        .toList();
  }

  /** Ranks with threads of their own. */
  static final class Open implements AutoCloseable {
    final DecoderSpec spec;
    final ParallelLayout layout;
    final List<Device> devices;
    final Collectives collectives;
    final ThreadedRanks ranks;
    final ShardedState state;

    private final List<Device> own;

    /** Random weights, those that {@link #alone} starts from, on {@code devices}. */
    Open(DecoderSpec spec, ParallelLayout layout, RankDevices devices) {
      this(
          spec,
          layout,
          devices.first(layout.ranks()),
          false,
          new ThreadCollectives(),
          group(layout),
          LocalProcess.alone());
    }

    /** The same, a rank on each device that {@code opening} gives. */
    Open(DecoderSpec spec, ParallelLayout layout, Supplier<Device> opening) {
      this(spec, layout, opening, new ThreadCollectives(), group(layout), LocalProcess.alone());
    }

    private static RankGroup group(ParallelLayout layout) {
      return RankGroup.here("test", Collections.nCopies(layout.ranks(), RankLocation.CPU));
    }

    /** The same on those ranks of {@code world} that live in the process of {@code site}. */
    Open(
        DecoderSpec spec,
        ParallelLayout layout,
        Supplier<Device> opening,
        Collectives collectives,
        RankGroup world,
        LocalProcess site) {
      this(spec, layout, opened(opening, world, site), true, collectives, world, site);
    }

    private static List<Device> opened(
        Supplier<Device> opening, RankGroup world, LocalProcess site) {
      return Stream.generate(opening).limit(world.ranks(site.process()).size()).toList();
    }

    private Open(
        DecoderSpec spec,
        ParallelLayout layout,
        List<Device> devices,
        boolean own,
        Collectives collectives,
        RankGroup world,
        LocalProcess site) {
      this.spec = spec;
      this.layout = layout;
      this.collectives = collectives;
      this.devices = devices;
      this.own = own ? devices : List.of();
      this.ranks =
          new ThreadedRanks(
              devices, spec, PRECISION, layout, true, collectives, world, site, patches(spec));
      this.state =
          new ShardedState(spec, processes(new Cutting.Samples(MICRO)), layout.trained(spec));
      fill(spec, devices.getFirst(), state);
    }

    /** A step; the norm of the gradient. */
    double step(long seed, HeadOutputLoss loss) {
      return step(seed, new Cutting.Samples(MICRO), loss);
    }

    /** The ranks, whose batches are cut by {@code cutting}. */
    LocalRanks process(Cutting cutting) {
      return new LocalRanks(ranks, layout, PRECISION, List.of(), cutting, cutting);
    }

    private RankProcesses processes(Cutting cutting) {
      return new RankProcesses(List.of(process(cutting)), collectives);
    }

    /** A step of micro-batches cut by {@code cutting}. */
    double step(long seed, Cutting cutting, HeadOutputLoss loss) {
      double norm = ShardedFixtures.step(processes(cutting), layout, cutting, seed, loss, state);
      state.steps(state.steps() + 1);
      return norm;
    }

    /** Numbers of all parameters. */
    List<float[]> numbers(Kind kind) {
      return ShardedFixtures.numbers(spec, state, kind);
    }

    @Override
    public void close() {
      ranks.close();
      own.forEach(Device::close);
    }
  }

  /** Numbers of all parameters. */
  static List<float[]> numbers(DecoderSpec spec, ShardedState state, Kind kind) {
    List<float[]> all = new ArrayList<>();
    List<DecoderSpec.Parameter> parameters =
        kind == Kind.WEIGHT ? DecoderParameters.of(spec) : state.trained();
    for (int i = 0; i < parameters.size(); i++) {
      int size = Math.toIntExact(parameters.get(i).size());
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(ValueLayout.JAVA_FLOAT, size);
        if (kind == Kind.WEIGHT) {
          state.read(i, 0, memory);
        } else {
          state.read(kind, i, 0, memory);
        }
        all.add(memory.toArray(ValueLayout.JAVA_FLOAT));
      }
    }
    return all;
  }

  /** Random weights, those that {@link #alone} starts from. */
  static void fill(DecoderSpec spec, Device device, ShardedState state) {
    device.call(
        () -> {
          try (Parameters whole = Parameters.random(device, spec, 7);
              Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < DecoderParameters.of(spec).size(); i++) {
              state.write(i, 0, whole.stored(i).map(arena));
            }
          }
          return true;
        });
    state.resume(0);
  }

  /** A step of all {@code processes}; the norm of the gradient. */
  static double step(
      RankProcesses processes,
      ParallelLayout layout,
      Cutting cutting,
      long seed,
      HeadOutputLoss loss,
      ShardedState state) {
    TokenBatch batch = batch(state.spec(), seed);
    OrderedLoss ordered = new OrderedLoss(loss, ShardedBatch.of(batch, layout, cutting));
    double norm;
    try {
      norm =
          processes.all(process -> process.accumulate(batch, ordered), ordered::abort).getFirst();
    } catch (RuntimeException e) {
      throw ordered.failure(e);
    }
    OptimizerStep step = new OptimizerStep(state.steps() + 1, RATE, norm, SETTINGS);
    processes.all(process -> process.step(step), failure -> {});
    return norm;
  }

  /** The distance of each two parameters relative to the size of the first. */
  static List<Distance> distances(DecoderSpec spec, List<float[]> expected, List<float[]> found) {
    List<Distance> distances = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      double difference = 0;
      double size = 0;
      for (int j = 0; j < expected.get(i).length; j++) {
        difference += Math.pow(expected.get(i)[j] - found.get(i)[j], 2);
        size += Math.pow(expected.get(i)[j], 2);
      }
      distances.add(
          new Distance(DecoderParameters.of(spec).get(i).name(), Math.sqrt(difference / size)));
    }
    return distances;
  }

  /** Returns the maximum error. */
  record Distance(String name, double relative) {}
}

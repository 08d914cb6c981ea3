package roll.parallel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.batching.Cutting;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.Rendezvous;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.RankProcess;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.training.HeadOutputLoss;
import roll.torch.vision.PicturePatches;

/** Ranks by turns on threads that take each other for processes, and the one who decides. */
final class SeveralRanks implements AutoCloseable {
  private static final Cutting CUTTING = new Cutting.Samples(2);

  private final ParallelLayout layout;
  private final RankProcesses processes;
  final ShardedState state;

  /** Random weights, on {@code devices}, which stay open. */
  SeveralRanks(
      DecoderSpec spec,
      ParallelLayout layout,
      int processes,
      Collectives collectives,
      RankDevices devices) {
    List<Device> all = devices.first(layout.ranks());
    this.layout = layout;
    List<RankLocation> members =
        IntStream.range(0, layout.ranks())
            .mapToObj(r -> new RankLocation("process-" + r % processes, "", RankLocation.CPU))
            .toList();
    RankGroup world = new RankGroup("test", 1, members, Duration.ofSeconds(60));
    List<CompletableFuture<RankProcess>> opening = new ArrayList<>();
    for (int p = 0; p < processes; p++) {
      LocalProcess site = new LocalProcess("process-" + p, Rendezvous.local());
      List<Device> own = world.ranks(site.process()).stream().map(all::get).toList();
      opening.add(
          CompletableFuture.supplyAsync(
              () -> open(spec, layout, own, collectives, world, site), Thread::startVirtualThread));
    }
    this.processes =
        new RankProcesses(opening.stream().map(CompletableFuture::join).toList(), collectives);
    this.state = new ShardedState(spec, this.processes, layout.trained(spec));
    ShardedFixtures.fill(spec, all.getFirst(), state);
  }

  private static RankProcess open(
      DecoderSpec spec,
      ParallelLayout layout,
      List<Device> devices,
      Collectives collectives,
      RankGroup world,
      LocalProcess site) {
    Precision precision = Precision.of(Dtype.FP32);
    PicturePatches patches = ShardedFixtures.patches(spec);
    ThreadedRanks ranks =
        new ThreadedRanks(
            devices, spec, precision, layout, true, collectives, world, site, patches);
    return new LocalRanks(ranks, layout, precision, List.of(), CUTTING, CUTTING);
  }

  /** A step; the norm of the gradient. */
  double step(long seed, HeadOutputLoss loss) {
    double norm = ShardedFixtures.step(processes, layout, CUTTING, seed, loss, state);
    state.steps(state.steps() + 1);
    return norm;
  }

  /** The coordinating process. */
  RankProcesses processes() {
    return processes;
  }

  @Override
  public void close() {
    processes.close();
  }
}

package roll.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.shard.Offload;
import roll.parallel.shard.OffloadFiles;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.ProcessGroups;
import roll.parallel.shard.ShardMap;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.vision.PicturePatches;

/**
 * The ranks of a model that live in this process: all of them, or some, beside others that do the
 * same in their processes. They do everything together; if one fails the others are released, and
 * what that one failed of is thrown. With ranks in other processes the model is lost with the first
 * failure, for their groups are.
 */
final class ThreadedRanks implements AutoCloseable {
  private final List<ProcessGroups> links;
  private final List<Device> devices;
  private final List<Rank> ranks;
  private final List<Integer> elsewhere;
  private final ShardMap shares;
  private final boolean alone;

  /**
   * Those ranks of {@code world} that live in the process of {@code site}, whose weights are zeros.
   *
   * @param devices of these ranks, in their order
   * @param trains whether there are gradients and moments
   * @param patches makes patches of pictures; null where there will be no pictures
   */
  ThreadedRanks(
      List<Device> devices,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout layout,
      boolean trains,
      Collectives collectives,
      RankGroup world,
      LocalProcess site,
      @Nullable PicturePatches patches) {
    this.devices = List.copyOf(devices);
    this.alone = world.within(site.process());
    List<Integer> here = world.ranks(site.process());
    this.elsewhere =
        IntStream.range(0, world.size()).filter(rank -> !here.contains(rank)).boxed().toList();
    this.shares = new ShardMap(spec, layout);
    this.links = ProcessGroups.of(layout, collectives, spec.has(Trait.TIED_HEAD), world, site);
    Offload offload = layout.offload();
    if (offload.optimizer() || offload.parameters()) {
      OffloadFiles.sweep(offload.folder());
    }
    List<Rank> opened = new ArrayList<>();
    for (int i = 0; i < here.size(); i++) {
      int number = i;
      Device device = devices.get(i);
      ParallelLayout.Coordinates coordinates = layout.coordinates(here.get(i));
      opened.add(
          device.call(
              () ->
                  new Rank(
                      device,
                      spec,
                      precision,
                      layout,
                      trains,
                      coordinates,
                      shares.stages().get(coordinates.stage()),
                      links.get(number),
                      patches)));
    }
    this.ranks = List.copyOf(opened);
  }

  /** The ranks here, in their order; only to be looked at while they have nothing to do. */
  List<Rank> ranks() {
    return ranks;
  }

  /** The ranks of other processes. */
  List<Integer> elsewhere() {
    return elsewhere;
  }

  /** Where the numbers of the model are. */
  ShardMap shares() {
    return shares;
  }

  /**
   * Has all ranks do {@code work} at the same time, after what they were told before.
   *
   * @param abort told what a rank failed of, so that others do not wait for it
   * @return what each answers, by rank, when all have ended; or what the first one failed of
   */
  <T> CompletableFuture<List<T>> all(Function<Rank, T> work, Consumer<Throwable> abort) {
    AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    List<CompletableFuture<T>> answers = new ArrayList<>();
    for (Rank rank : ranks) {
      answers.add(
          rank.device()
              .submit(() -> work.apply(rank))
              .whenComplete(
                  (answer, failure) -> {
                    if (failure != null
                        && !RankProcesses.released(failure)
                        && first.compareAndSet(null, failure)) {
                      abort(failure);
                      abort.accept(failure);
                    }
                  }));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .handle(
            (done, failure) -> {
              if (failure != null) {
                throw new CompletionException(rested(first.get(), failure));
              }
              return answers.stream().map(CompletableFuture::join).toList();
            });
  }

  /**
   * Frees what failed work left; {@code first}, or {@code released} where all were only released.
   */
  private Throwable rested(@Nullable Throwable first, Throwable released) {
    if (alone) {
      links.forEach(ProcessGroups::reset);
    }
    for (Rank rank : ranks) {
      var unused =
          rank.device()
              .submit(
                  () -> {
                    rank.rest();
                    return true;
                  });
    }
    return first == null ? RankProcesses.cause(released) : first;
  }

  /** Releases whoever waits. From any thread. */
  void abort(Throwable cause) {
    links.forEach(link -> link.abort(cause));
  }

  @Override
  public void close() {
    for (int r = 0; r < ranks.size(); r++) {
      Rank rank = ranks.get(r);
      devices
          .get(r)
          .call(
              () -> {
                rank.close();
                return true;
              });
    }
    links.forEach(ProcessGroups::close);
  }
}

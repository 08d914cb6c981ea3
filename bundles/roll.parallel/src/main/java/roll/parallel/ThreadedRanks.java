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
 * The ranks of a model in this process, each on its device's thread: all ranks, or some, while
 * other processes have the rest. They execute every task together; if one fails, the others are
 * released, and its failure is thrown. With ranks in other processes the first failure ends the
 * model, since it ends their groups.
 */
final class ThreadedRanks implements AutoCloseable {
  private final List<ProcessGroups> links;
  private final List<Device> devices;
  private final List<Rank> ranks;
  private final List<Integer> elsewhere;
  private final ShardMap shares;
  private final boolean alone;

  /**
   * Creates the ranks of {@code world} in the process of {@code site}, with zero weights.
   *
   * @param devices one for each of these ranks, in their order
   * @param trains whether there are gradients and moments
   * @param patches patches of pictures; null if there are no pictures
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

  /** Returns the ranks of this process, in their order; use them only while they are idle. */
  List<Rank> ranks() {
    return ranks;
  }

  /** Returns the numbers of the ranks of other processes. */
  List<Integer> elsewhere() {
    return elsewhere;
  }

  /** Returns the map of the model's numbers to ranks. */
  ShardMap shares() {
    return shares;
  }

  /**
   * Runs {@code work} on all ranks concurrently, after all earlier tasks.
   *
   * @param abort called with the first failure, to release waiting ranks
   * @return the results by rank when all have ended, or the first failure
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
   * Frees the memory of failed work; returns {@code first}, or {@code released} if all ranks were
   * only released.
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

  /** Releases the ranks that wait in a collective. For use from any thread. */
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

package roll.torch.parallel;

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
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.collective.Collectives;
import roll.torch.collective.RankFailure;
import roll.torch.collective.RankGroup;
import roll.torch.collective.RankSite;
import roll.torch.parallel.shard.Offload;
import roll.torch.parallel.shard.OffloadFiles;
import roll.torch.parallel.shard.ParallelLayout;
import roll.torch.parallel.shard.PipelineStage;
import roll.torch.parallel.shard.ProcessGroups;

/**
 * The ranks of a model that live in this process: all of them, or some, beside others that do the
 * same in their processes. They do everything together; if one fails the others are released, and
 * what that one failed of is thrown. With ranks in other processes the model is lost with the first
 * failure, for their groups are.
 */
final class Ranks implements AutoCloseable {
  private final List<ProcessGroups> links;
  private final List<Device> devices;
  private final List<Rank> ranks;

  /** What all sessions have in common: work of two of them comes to all devices in one order. */
  private final Collectives gate;

  private final boolean alone;

  /**
   * Ranks whose weights are zeros, one on each of {@code devices}, and no others.
   *
   * @param trains whether there are gradients and moments
   */
  Ranks(
      List<Device> devices,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout layout,
      boolean trains,
      Collectives collectives) {
    this(
        devices,
        spec,
        precision,
        layout,
        trains,
        collectives,
        RankGroup.here(
            "ranks", devices.stream().limit(layout.ranks()).map(Device::number).toList()),
        RankSite.alone());
  }

  /**
   * Those ranks of {@code world} that live in the process of {@code site}, whose weights are zeros.
   *
   * @param devices of these ranks, in their order
   * @param trains whether there are gradients and moments
   */
  Ranks(
      List<Device> devices,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout layout,
      boolean trains,
      Collectives collectives,
      RankGroup world,
      RankSite site) {
    this.devices = List.copyOf(devices);
    this.gate = collectives;
    this.alone = world.within(site.process());
    this.links = ProcessGroups.of(layout, collectives, spec.has(Trait.TIED_HEAD), world, site);
    List<PipelineStage> stages =
        IntStream.range(0, layout.pipeline())
            .mapToObj(number -> new PipelineStage(spec, layout, number))
            .toList();
    Offload offload = layout.offload();
    if (offload.optimizer() || offload.parameters()) {
      OffloadFiles.sweep(offload.folder());
    }
    List<Rank> opened = new ArrayList<>();
    List<Integer> here = world.ranks(site.process());
    for (int i = 0; i < here.size(); i++) {
      int number = i;
      Device device = devices.get(i);
      ParallelLayout.Place place = layout.place(here.get(i));
      opened.add(
          device.call(
              () ->
                  new Rank(
                      device,
                      spec,
                      precision,
                      layout,
                      trains,
                      place,
                      stages.get(place.stage()),
                      links.get(number))));
    }
    this.ranks = List.copyOf(opened);
  }

  /** Whether there are no others in other processes. */
  boolean alone() {
    return alone;
  }

  /** The ranks here, in their order; only to be looked at while they have nothing to do. */
  List<Rank> ranks() {
    return ranks;
  }

  /**
   * Has all ranks do {@code work} at the same time.
   *
   * @param abort told what a rank failed of, so that others do not wait for it
   * @return what each answers, by rank
   */
  <T> List<T> all(Function<Rank, T> work, Consumer<Throwable> abort) {
    AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    List<CompletableFuture<T>> answers = new ArrayList<>();
    synchronized (gate) {
      for (Rank rank : ranks) {
        answers.add(
            rank.device()
                .submit(() -> work.apply(rank))
                .whenComplete(
                    (answer, failure) -> {
                      if (failure != null
                          && !released(failure)
                          && first.compareAndSet(null, failure)) {
                        links.forEach(link -> link.abort(failure));
                        abort.accept(failure);
                      }
                    }));
      }
    }
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .exceptionally(failure -> null)
        .join();
    Throwable failure = first.get();
    if (failure == null) {
      return answers.stream().map(CompletableFuture::join).toList();
    }
    if (alone) {
      links.forEach(ProcessGroups::reset);
    }
    for (Rank rank : ranks) {
      rank.device()
          .call(
              () -> {
                rank.rest();
                return true;
              });
    }
    throw failure instanceof RuntimeException unchecked
        ? unchecked
        : new CompletionException(failure);
  }

  /** Whether {@code failure} only says that another rank has failed, whose own failure is known. */
  private static boolean released(Throwable failure) {
    return failure instanceof RankFailure && failure.getCause() != null;
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

package roll.collectives.nccl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.option.UserException;
import roll.collectives.nccl.NcclConnection.Libraries;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.torch.foreign.CudaDriver;

/**
 * Groups of ranks on CUDA GPUs, of one process or several, by NCCL. All ranks receive the same sum.
 * Its order depends on the GPUs, their topology and the size, so that the same sum repeats in
 * practice, which NCCL does not guarantee.
 *
 * <p>The first group loads the libraries, so that machines without GPUs need none.
 */
@Component(
    name = "roll.collectives.nccl",
    service = Collectives.class,
    property = "roll.collectives=nccl")
public final class NcclCollectives implements Collectives {
  private final List<String> nccl;
  private final String driver;
  private @Nullable Nccl loaded;
  private @Nullable CudaDriver cuda;

  /** Uses the libraries of this machine. */
  @Activate
  public NcclCollectives() {
    this(NcclLibraryFinder.candidates(System.getenv()), "libcuda.so.1");
  }

  /**
   * Uses the first of {@code nccl} that is NCCL, and the driver {@code driver}, by name or path.
   */
  NcclCollectives(List<String> nccl, String driver) {
    this.nccl = List.copyOf(nccl);
    this.driver = driver;
  }

  private synchronized CudaDriver cuda() {
    CudaDriver known = cuda == null ? CudaDriver.open(driver) : cuda;
    cuda = known;
    return known;
  }

  private synchronized Libraries libraries() {
    Nccl known = loaded == null ? Nccl.open(nccl) : loaded;
    loaded = known;
    return new Libraries(known, cuda());
  }

  /** Opens a group on GPUs 0, 1, … of this process. */
  @Override
  public List<Communicator> open(int size) {
    return open(
        RankGroup.here("ranks", IntStream.range(0, size).boxed().toList()), LocalProcess.alone());
  }

  @Override
  public List<Communicator> open(RankGroup group, LocalProcess site) {
    for (RankLocation member : group.members()) {
      if (!member.onCard()) {
        throw new UserException(
            "%s: NCCL is for ranks on GPUs, not for one on the %s"
                .formatted(group.label(), member));
      }
    }
    if (group.size() == 1) {
      return List.of(new SingleGpuCommunicator(cuda(), group.members().getFirst().card()));
    }
    distinct(group);
    Libraries libraries = libraries();
    GroupAbort ending = new GroupAbort();
    List<NcclCommunicator> ends =
        group.ranks(site.process()).stream()
            .map(rank -> new NcclCommunicator(libraries, group, site, ending, rank))
            .toList();
    connect(ends, ending);
    return List.copyOf(ends);
  }

  /** Checks that each GPU has one rank, as NCCL requires. */
  private static void distinct(RankGroup group) {
    Map<String, Integer> ranks = new HashMap<>();
    for (int rank = 0; rank < group.size(); rank++) {
      Integer before = ranks.put(group.members().get(rank).toString(), rank);
      if (before != null) {
        throw new UserException(
            "%s: ranks %d and %d are both on %s, but NCCL needs a GPU for each"
                .formatted(group.label(), before, rank, group.members().get(rank)));
      }
    }
  }

  /** Connects all ranks concurrently, since each waits for the others. */
  private static void connect(List<NcclCommunicator> ends, GroupAbort ending) {
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("roll-nccl-join").daemon(true).factory())) {
      List<CompletableFuture<NcclConnection>> joined = new ArrayList<>();
      for (NcclCommunicator end : ends) {
        joined.add(
            CompletableFuture.supplyAsync(end::link, threads)
                .whenComplete(
                    (link, failure) -> {
                      if (failure != null) {
                        ending.fail(failure);
                      }
                    }));
      }
      CompletableFuture.allOf(joined.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException failure) {
      ends.forEach(Communicator::close);
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }
}

package roll.parallel.world;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;

/** Ranks of one model in several processes, of which this one decides the steps. */
@ProviderType
public interface RankWorld {
  /** All ranks. */
  RankGroup group();

  /** Where this process stands among them. */
  LocalProcess site();

  /** What this process has to open: the devices of its own ranks. */
  ShardedModelSpec here();

  /**
   * Has the other processes open their ranks. These meet those of this process, which it opens
   * meanwhile.
   *
   * @return the other processes; the caller closes them. If one of them fails, those that were
   *     opened are closed, and whoever waits to meet them fails
   */
  CompletableFuture<List<RankProcess>> open();

  /** Says that this process could not open its own ranks: the others do not wait for them. */
  void fail(Throwable cause);
}

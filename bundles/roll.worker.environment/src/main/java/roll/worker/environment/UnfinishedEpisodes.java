package roll.worker.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Snapshot;
import roll.runtime.pipeline.RolloutStream;

/**
 * The groups of asynchronous training that no step has taken, in checkpoints. A resumed stream
 * begins with them, so that each group is trained once.
 */
final class UnfinishedEpisodes {
  private @Nullable RolloutStream stream;
  private @Nullable CompletableFuture<Snapshot> copy;
  private @Nullable Path restored;

  /** Sets the stream whose groups are saved from now on. */
  synchronized void of(RolloutStream now) {
    stream = now;
    restored = null;
  }

  /**
   * Begins to copy the groups for the next {@link #save}. The stream copies them before it begins
   * another step, possibly after a batch of responses.
   */
  synchronized void snapshot() {
    copy = stream == null ? null : stream.snapshot();
  }

  /** Writes the copy, which is then dropped, or the current groups if there is no copy. */
  synchronized CompletableFuture<Void> save(Path folder) {
    RolloutStream playing = stream;
    CompletableFuture<Snapshot> groups = copy;
    copy = null;
    if (groups == null && playing != null) {
      groups = playing.snapshot();
    }
    if (groups != null) {
      return groups.thenAcceptAsync(now -> write(now, folder), Thread::startVirtualThread);
    }
    if (restored != null) {
      copy(restored, folder);
    }
    return CompletableFuture.completedFuture(null);
  }

  private static void write(Snapshot groups, Path folder) {
    try {
      groups.write(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to);
      Files.copy(
          from.resolve(RolloutStream.UNFINISHED),
          to.resolve(RolloutStream.UNFINISHED),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Continues with the groups in {@code folder}, if training is asynchronous; returns whether it
   * has any.
   */
  synchronized boolean restore(Path folder, boolean asynchronous) {
    boolean saved = Files.exists(folder.resolve(RolloutStream.UNFINISHED));
    restored = saved && asynchronous ? folder : null;
    return saved;
  }

  /** Returns the folder with the groups that a new stream continues, or null. */
  synchronized @Nullable Path restored() {
    return restored;
  }
}

package roll.ui.trajectory;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.runtime.replay.ReplayedEpisode;
import roll.runtime.replay.Replays;
import roll.ui.run.RunEntry;

/** The pictures of the episodes that were looked at last: each is played again once. */
final class EpisodeFrames {
  private static final int KEPT = 12;
  private static final long MOST_BYTES = 128L << 20;

  /** How long is believed that an episode has no pictures: a plugin may be deployed meanwhile. */
  private static final long NANOS = 30_000_000_000L;

  /** Of one run at once: what hangs, as a file that never ends, is to cost that run alone. */
  private static final int MOST_PLAYED = 4;

  private final Supplier<@Nullable Replays> replays;
  private final Map<Path, Integer> playing = new HashMap<>();
  private final Map<Key, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** None yet; {@code replays} gives null while nothing plays episodes again. */
  EpisodeFrames(Supplier<@Nullable Replays> replays) {
    this.replays = replays;
  }

  /** Which episode: its run, whether that is of this process, and its line. */
  private record Key(Path run, boolean own, String line) {}

  /**
   * What came of it.
   *
   * @param frames before turn 0, …, after the last one; none where {@code problem} says why
   */
  record Frames(List<Picture> frames, @Nullable String problem) {
    private long bytes() {
      return frames.stream().mapToLong(Picture::size).sum();
    }
  }

  private record Kept(CompletableFuture<Frames> frames, long since) {
    boolean holds(long now) {
      return !frames.isDone() || frames.join().problem() == null || now - since < NANOS;
    }
  }

  /** The pictures of the episode that {@code line} is of, as soon as it is played again. */
  CompletableFuture<Frames> of(RunEntry run, String line) {
    Key key = new Key(run.folder(), run.run() != null, line);
    CompletableFuture<Frames> begun = new CompletableFuture<>();
    synchronized (kept) {
      Kept known = kept.get(key);
      if (known != null && known.holds(System.nanoTime())) {
        return known.frames();
      }
      if (playing.merge(key.run(), 1, Integer::sum) > MOST_PLAYED) {
        ended(key.run());
        return CompletableFuture.completedFuture(
            new Frames(List.of(), "other episodes of the run are still being played again"));
      }
      kept.put(key, new Kept(begun, System.nanoTime()));
      forget();
    }
    Thread.ofVirtual().name("replay").start(new OneShotTask(() -> play(key, begun)));
    return begun;
  }

  private void play(Key key, CompletableFuture<Frames> begun) {
    try {
      begun.complete(played(key));
    } finally {
      synchronized (kept) {
        ended(key.run());
      }
    }
  }

  private void ended(Path run) {
    playing.computeIfPresent(run, (_, many) -> many == 1 ? null : many - 1);
  }

  /** The oldest go, until there are few, and memory has room for what they hold. */
  private void forget() {
    while (kept.size() > 1 && (kept.size() > KEPT || bytes() > MOST_BYTES)) {
      kept.remove(kept.keySet().iterator().next());
    }
  }

  private long bytes() {
    return kept.values().stream()
        .filter(known -> known.frames().isDone())
        .mapToLong(known -> known.frames().join().bytes())
        .sum();
  }

  private Frames played(Key episode) {
    Replays service = replays.get();
    if (service == null) {
      return new Frames(List.of(), "nothing here plays episodes again");
    }
    try {
      ReplayedEpisode again = service.play(episode.run(), episode.line(), episode.own());
      return again.otherwise() == null
          ? new Frames(again.frames(), null)
          : new Frames(List.of(), "plays otherwise now: " + again.otherwise());
    } catch (UserException e) {
      return new Frames(List.of(), String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Frames(List.of(), "interrupted");
    } catch (RuntimeException | Error e) { // a plugin may throw anything, and is waited for
      return new Frames(List.of(), "it cannot be played again: " + e);
    }
  }
}

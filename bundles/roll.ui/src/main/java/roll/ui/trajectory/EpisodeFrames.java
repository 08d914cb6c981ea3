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

/** The pictures of the episodes that were shown last; each is replayed once. */
final class EpisodeFrames {
  private static final int MAX_REPLAYS = 12;
  private static final long MAX_BYTES = 128L << 20;

  /** An episode without pictures is replayed again after this time: a plugin may be deployed. */
  private static final long RETRY_NANOS = 30_000_000_000L;

  /** Concurrent replays of one run: a replay that hangs affects that run alone. */
  private static final int MAX_PLAYED = 4;

  private final Supplier<@Nullable Replays> service;
  private final Map<Path, Integer> playing = new HashMap<>();
  private final Map<Key, Replay> replays = new LinkedHashMap<>(16, 0.75f, true);

  /** No pictures; {@code replays} returns null while no service replays episodes. */
  EpisodeFrames(Supplier<@Nullable Replays> replays) {
    service = replays;
  }

  /** An episode: its run, whether that is a run of this process, and its line. */
  private record Key(Path run, boolean own, String line) {}

  /**
   * The rendered frames of a replayed episode.
   *
   * @param frames before turn 0, …, after the last one; empty if {@code problem} is not null
   */
  record Frames(List<Picture> frames, @Nullable String problem) {
    private long bytes() {
      return frames.stream().mapToLong(Picture::size).sum();
    }
  }

  private record Replay(CompletableFuture<Frames> frames, long since) {
    boolean holds(long now) {
      return !frames.isDone() || frames.join().problem() == null || now - since < RETRY_NANOS;
    }
  }

  /** Returns the pictures of an episode that was replayed before; null where they are not known. */
  @Nullable Frames known(RunEntry run, String line) {
    synchronized (replays) {
      Replay known = replays.get(new Key(run.folder(), run.run() != null, line));
      return known != null && known.frames().isDone() ? known.frames().join() : null;
    }
  }

  /** Replays the episode in {@code line}, once; its pictures are complete afterwards. */
  CompletableFuture<Frames> of(RunEntry run, String line) {
    Key key = new Key(run.folder(), run.run() != null, line);
    CompletableFuture<Frames> begun = new CompletableFuture<>();
    synchronized (replays) {
      Replay known = replays.get(key);
      if (known != null && known.holds(System.nanoTime())) {
        return known.frames();
      }
      if (playing.merge(key.run(), 1, Integer::sum) > MAX_PLAYED) {
        ended(key.run());
        return CompletableFuture.completedFuture(
            new Frames(List.of(), "other episodes of the run are still being replayed"));
      }
      replays.put(key, new Replay(begun, System.nanoTime()));
      forget();
    }
    Thread.ofVirtual().name("replay").start(new OneShotTask(() -> play(key, begun)));
    return begun;
  }

  private void play(Key key, CompletableFuture<Frames> begun) {
    try {
      begun.complete(played(key));
    } finally {
      synchronized (replays) {
        ended(key.run());
      }
    }
  }

  private void ended(Path run) {
    playing.computeIfPresent(run, (_, many) -> many == 1 ? null : many - 1);
  }

  /** Drops the oldest replays until number and memory are within the limits. */
  private void forget() {
    while (replays.size() > 1 && (replays.size() > MAX_REPLAYS || bytes() > MAX_BYTES)) {
      replays.remove(replays.keySet().iterator().next());
    }
  }

  private long bytes() {
    return replays.values().stream()
        .filter(known -> known.frames().isDone())
        .mapToLong(known -> known.frames().join().bytes())
        .sum();
  }

  private Frames played(Key episode) {
    Replays known = service.get();
    if (known == null) {
      return new Frames(List.of(), "no service replays episodes");
    }
    try {
      ReplayedEpisode again = known.play(episode.run(), episode.line(), episode.own());
      return again.otherwise() == null
          ? new Frames(again.frames(), null)
          : new Frames(List.of(), "the replay differs: " + again.otherwise());
    } catch (UserException e) {
      return new Frames(List.of(), String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Frames(List.of(), "interrupted");
    } catch (RuntimeException | Error e) { // a plugin may throw anything, and callers wait
      return new Frames(List.of(), "it cannot be replayed: " + e);
    }
  }
}

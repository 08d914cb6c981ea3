package roll.cluster.training;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.Rendezvous;

/** Where the ranks of one model say where they are, on the node that decides. */
final class MeetingPoint implements Rendezvous {
  private final int ranks;
  private final Map<String, Meeting> meetings = new HashMap<>();
  private @Nullable Throwable failure;

  private static final class Meeting {
    final byte[][] said;
    final CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
    int count;

    Meeting(int size) {
      said = new byte[size][];
    }
  }

  /** Where the ranks of a group of {@code ranks} meet, or some of them. */
  MeetingPoint(int ranks) {
    this.ranks = ranks;
  }

  @Override
  public List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit) {
    try {
      return say(name, size, index, own).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RankFailure(
          "%s: not all %d ranks came within %d s".formatted(name, size, limit.toSeconds()), e);
    } catch (ExecutionException e) {
      throw RankFailure.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RankFailure(name + ": interrupted", e);
    }
  }

  /** What all say, as soon as they have. */
  synchronized CompletableFuture<List<byte[]>> say(String name, int size, int index, byte[] own) {
    if (size < 1 || size > ranks) {
      throw new IllegalArgumentException(
          "%s: %d ranks cannot meet, there are %d".formatted(name, size, ranks));
    }
    Meeting meeting = meetings.computeIfAbsent(name, _ -> new Meeting(size));
    if (index < 0 || index >= meeting.said.length || meeting.said[index] != null) {
      throw new IllegalArgumentException(name + ": there is no place " + index);
    }
    meeting.said[index] = own.clone();
    if (failure != null) {
      meeting.all.completeExceptionally(failure);
    } else if (++meeting.count == meeting.said.length) {
      meetings.remove(name);
      meeting.all.complete(Arrays.asList(meeting.said));
    }
    return meeting.all;
  }

  /** Nobody meets any more; who waits fails of {@code cause}. */
  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    meetings.values().forEach(meeting -> meeting.all.completeExceptionally(cause));
    meetings.clear();
  }
}

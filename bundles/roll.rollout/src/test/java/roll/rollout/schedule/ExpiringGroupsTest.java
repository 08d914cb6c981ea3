package roll.rollout.schedule;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.rollout.Games;
import roll.rollout.TablePolicy;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EpisodePermit;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ResponseReplay;

/** The groups that each step takes, one step ahead: two groups a step, each of one member. */
@NullMarked
class ExpiringGroupsTest {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong clock = new AtomicLong();
  private final Starter starter = new Starter();
  private final StalenessWait wait = new StalenessWait(2, 1, 1, clock::get);
  private final GroupScheduler scheduler =
      new GroupScheduler(
          Games.request(
              "train",
              2,
              Games.envs(List.of("A"), List.of(2), 1),
              new TablePolicy(0.5),
              Games.game("A", Map.of())),
          null,
          starter);

  /** Keeps what is in play, by group and episode. */
  private static final class Starter implements GroupScheduler.EpisodeStarter {
    final Map<String, Attempt> playing = new TreeMap<>();

    @Override
    public Attempt begin(EpisodeSlot slot, boolean drawn) {
      EpisodePermit none = new EpisodePermit(null);
      Attempt attempt = new Attempt(slot, 0, none, none, ResponseReplay.none());
      playing.put(slot.group() + "." + slot.episode(), attempt);
      return attempt;
    }

    @Override
    public Attempt beginAgain(Attempt failed, boolean drawn) {
      return begin(failed.slot(), drawn);
    }

    @Override
    public void drop(Attempt attempt) {
      attempt.close();
    }
  }

  /** The next step begins, and with it {@code episodes} of both groups. */
  private void step(int... episodes) {
    wait.begin();
    for (int episode : episodes) {
      scheduler.begin(List.of(new Group("A", 0, episode), new Group("A", 1, episode)));
    }
  }

  private void end(String... names) {
    for (String name : names) {
      end(Objects.requireNonNull(starter.playing.remove(name), name));
    }
  }

  private void end(Attempt attempt) {
    scheduler.settle(List.of(new AttemptResult(attempt, played(attempt), null)));
  }

  private static Trajectory played(Attempt attempt) {
    return new Trajectory(
        attempt.slot().key(),
        List.of(),
        new double[0],
        new long[0],
        List.of(),
        Map.of(),
        "terminated");
  }

  private List<String> taken() {
    assertFalse(scheduler.await(wait));
    return scheduler.take(2).trajectories().stream()
        .map(played -> played.key().group() + "." + played.key().episode())
        .toList();
  }

  @Test
  void whatIsDueIsTakenHoweverManyOthersAreComplete() {
    step(0, 1);
    assertTrue(scheduler.await(wait), "nothing is complete");
    end("0.1", "1.1");
    assertEquals(List.of("0.1", "1.1"), taken(), "the next step may take the others as well");
    scheduler.advance(1);
    step(2);
    end("0.2", "1.2", "1.0");
    assertTrue(scheduler.await(wait), "the step after this one would play 0.0 anew");
    end("0.0");
    assertEquals(List.of("0.0", "1.0"), taken());
    scheduler.advance(1);
    step(3);
    assertEquals(List.of("0.2", "1.2"), taken(), "nothing to wait for");
    assertEquals(2, scheduler.size());
  }

  @Test
  void aGroupThatTakesLongerThanAStepIsPlayedAnew() {
    step(0, 1);
    end("0.0", "1.0");
    assertEquals(List.of("0.0", "1.0"), taken());
    clock.set(3 * SECOND);
    scheduler.advance(1);
    step(2);
    end("0.1", "0.2");
    assertTrue(scheduler.await(wait));
    Attempt late = Objects.requireNonNull(starter.playing.get("1.1"));
    clock.set(6 * SECOND);
    assertEquals(List.of("0.1", "0.2"), taken(), "it has waited as long as the last step took");
    scheduler.advance(1);
    assertFalse(late.isOpen(), "already too old");
    Attempt again = Objects.requireNonNull(starter.playing.get("1.1"));
    assertEquals(late.slot(), again.slot(), "from its seed");
    end(late); // had ended before it was dropped
    assertTrue(plays("1.1"));
    step(3);
    assertEquals(4, Stream.of("1.1", "1.2", "0.3", "1.3").filter(this::plays).count());
    end("1.2", "1.1");
    var completed = scheduler.take(2);
    assertEquals(1.0, completed.counts().getOrDefault("scheduler/expired_groups", 0.0));
    List<Integer> episodes = completed.trajectories().stream().map(t -> t.key().episode()).toList();
    assertEquals(List.of(2, 1), episodes, "what was begun anew is younger");
  }

  @Test
  void aGroupThatExpiresAgainInACallOfItsEnvironmentIsReplaced() {
    CountDownLatch never = new CountDownLatch(1);
    step(0);
    for (int expired = 0; expired < 2; expired++) {
      Attempt hung = Objects.requireNonNull(starter.playing.get("1.0"));
      assertEquals(0, hung.slot().draw(), "from its seed");
      hung.start(() -> hung.reward("step", played(hung), () -> forever(never)));
      await().atMost(Duration.ofMinutes(1)).until(() -> hung.inCallFor() > 150_000_000);
      scheduler.advance(0);
    }
    assertEquals(1, Objects.requireNonNull(starter.playing.get("1.0")).slot().draw());
    assertEquals(0, Objects.requireNonNull(starter.playing.get("0.0")).slot().draw(), "only slow");
    never.countDown();
  }

  private static boolean forever(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private boolean plays(String name) {
    return starter.playing.containsKey(name);
  }
}

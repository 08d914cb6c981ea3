package roll.rollout.schedule;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.Trajectory;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.EpisodePermit;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ResponseReplay;

@NullMarked
@Timeout(60)
class StalenessWaitTest {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong clock = new AtomicLong();

  /** Two groups a step, each of one member, of which an episode plays. */
  private StalenessWait waiting(int bound) {
    return new StalenessWait(2, 1, bound, clock::get);
  }

  private static Attempt attempt(int number) {
    EpisodeSlot slot = new EpisodeSlot("A", number, 0, 0, 0, 7);
    EpisodePermit none = new EpisodePermit(null);
    return new Attempt(slot, 0, none, none, ResponseReplay.none());
  }

  private static Group playing(int number, int since) {
    Group group = new Group("A", number, 0);
    group.since(since);
    group.running().put(0, attempt(number));
    return group;
  }

  private static Group complete(int number, int since) {
    Group group = playing(number, since);
    group.running().clear();
    group.close(1);
    return group;
  }

  @Test
  void whatIsLeftMustFitIntoTheStepsThatMayTakeIt() {
    assertTrue(StalenessWait.fits(new int[] {2, 0}, 2), "the next step takes both");
    assertFalse(StalenessWait.fits(new int[] {3, 0}, 2), "one too many for the next step");
    assertFalse(StalenessWait.fits(new int[] {0, 1}, 2), "too old for the next step");
    assertTrue(StalenessWait.fits(new int[] {2, 2, 0}, 2), "the next step takes the older ones");
    assertTrue(StalenessWait.fits(new int[] {3, 1, 0}, 2), "of the younger one early, two later");
    assertFalse(StalenessWait.fits(new int[] {1, 3, 0}, 2), "three must be taken by the next step");
    assertFalse(StalenessWait.fits(new int[] {4, 1, 0}, 2), "five do not fit into two steps");
    assertFalse(StalenessWait.fits(new int[] {1}, 2), "nothing may be older than a step");
  }

  @Test
  void olderGroupsAreTakenBeforeThoseThatWereCompleteSooner() {
    Group young = complete(0, 1);
    Group old = complete(1, 0);
    Group alsoOld = complete(3, 0);
    List<Group> groups = List.of(young, old, playing(2, 0), alsoOld);
    assertEquals(List.of(old, alsoOld), StalenessWait.oldest(groups, 2));
    assertEquals(List.of(old, alsoOld, young), StalenessWait.oldest(groups, 9));
  }

  @Test
  void aStepWaitsForTheLastGroupThatTheNextOneMayNotTake() {
    StalenessWait wait = waiting(1);
    Group old = complete(0, 0);
    Group late = playing(1, 0);
    Group young = complete(2, 1);
    Group younger = playing(3, 1);
    assertTrue(wait.mustWait(List.of(old, late, younger, playing(4, 1)), 1), "one of two");
    assertTrue(wait.mustWait(List.of(old, late, young, younger), 1), "the late one would be lost");
    Group inTime = complete(1, 0);
    assertFalse(wait.mustWait(List.of(old, inTime, young, younger), 1), "it is not late any more");
    List<Group> equals = List.of(complete(0, 1), playing(1, 1), young, younger);
    assertFalse(wait.mustWait(equals, 1), "the next step takes the remaining groups");
    StalenessWait longer = waiting(2);
    assertFalse(
        longer.mustWait(List.of(old, late, young, younger), 1), "the next step may take it");
  }

  @Test
  void anEnvironmentHoldsNoStepUpForLongerThanATenthOfTheLast() throws Exception {
    StalenessWait wait = waiting(1);
    wait.begin();
    CountDownLatch never = new CountDownLatch(1);
    Group held = playing(1, 0);
    Attempt attempt = Objects.requireNonNull(held.running().get(0));
    Trajectory played =
        new Trajectory(
            attempt.slot().key(),
            List.of(),
            new double[1],
            new long[1],
            List.of(),
            Map.of(),
            "terminated");
    attempt.start(() -> attempt.reward("step", played, () -> forever(never)));
    await().atMost(Duration.ofMinutes(1)).until(() -> attempt.inCallFor() > 150_000_000);
    List<Group> groups = List.of(complete(0, 0), held, complete(2, 1), playing(3, 1));
    assertTrue(wait.mustWait(groups, 1), "the first step does not know how long one takes");
    clock.set(SECOND);
    wait.begin();
    assertEquals(Long.MAX_VALUE, wait.recheckNanos(), "not yet asked");
    assertFalse(wait.mustWait(groups, 1), "a tenth of a second is over");
    assertEquals(SECOND / 10, wait.recheckNanos());
    clock.set(SECOND + 3600 * SECOND);
    wait.begin();
    assertTrue(wait.mustWait(groups, 1), "six minutes are not");
    Group redundant = playing(1, 0);
    redundant.running().put(0, attempt);
    redundant.running().put(1, attempt(1));
    assertFalse(redundant.blockedLongerThan(SECOND / 10, 1), "its other member is enough");
    never.countDown();
  }

  @Test
  void aStepIsHeldUpForNoLongerThanTheLastOneTook() {
    StalenessWait wait = waiting(1);
    wait.begin();
    clock.set(5 * SECOND);
    wait.begin();
    List<Group> one = List.of(complete(0, 0), playing(1, 0), playing(2, 1), playing(3, 1));
    List<Group> two = List.of(complete(0, 0), playing(1, 0), complete(2, 1), playing(3, 1));
    clock.set(8 * SECOND);
    assertTrue(wait.mustWait(one, 1), "too few");
    assertEquals(0, wait.nanos(), "that is no wait for what is due");
    assertTrue(wait.mustWait(two, 1));
    clock.set(13 * SECOND - 1);
    assertEquals(5 * SECOND - 1, wait.nanos());
    assertTrue(wait.mustWait(two, 1));
    clock.set(13 * SECOND);
    assertFalse(wait.mustWait(two, 1));
    wait.begin();
    assertEquals(0, wait.nanos(), "of each step");
  }

  @Test
  void theFirstStepAfterACheckpointIsHeldUpForNoLongerThanTheLastOneBeforeIt() {
    StalenessWait before = waiting(1);
    assertEquals(0, before.stepNanos());
    clock.set(SECOND);
    before.begin();
    clock.set(4 * SECOND);
    StalenessWait wait = waiting(1);
    wait.begin();
    wait.last(before.stepNanos());
    List<Group> groups = List.of(complete(0, 0), playing(1, 0), complete(2, 1), playing(3, 1));
    assertTrue(wait.mustWait(groups, 1));
    clock.set(7 * SECOND - 1);
    assertTrue(wait.mustWait(groups, 1));
    clock.set(7 * SECOND);
    assertFalse(wait.mustWait(groups, 1));
  }

  private static boolean forever(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }
}

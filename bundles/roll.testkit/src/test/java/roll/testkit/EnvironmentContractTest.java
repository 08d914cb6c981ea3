package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Options;

/**
 * The contract accepts a correct environment (the inherited tests) and finds the faults of others.
 */
class EnvironmentContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new Countdown(Fault.NONE);
  }

  @Test
  void findsStateSharedByEpisodes() {
    assertThrows(
        AssertionError.class, contract(Fault.SHARED)::interleavedEpisodesDoNotDisturbEachOther);
    assertThrows(AssertionError.class, contract(Fault.SHARED)::equalSeedsGiveEqualEpisodes);
  }

  @Test
  void findsRewardsThatAreNoNumbers() {
    assertThrows(AssertionError.class, contract(Fault.NAN)::episodesEnd);
  }

  @Test
  void findsEpisodesWithoutEnd() {
    assertThrows(AssertionError.class, contract(Fault.ENDLESS)::episodesEnd);
  }

  @Test
  void findsActionsThatAreNotAccepted() {
    assertThrows(AssertionError.class, contract(Fault.DEAF)::everyListedActionIsAccepted);
  }

  @Test
  void findsOddTextThatIsNotSurvived() {
    assertThrows(NumberFormatException.class, contract(Fault.FRAGILE)::anyTextIsHandled);
  }

  @Test
  void findsOddTextThatIsNotSurvivedLater() {
    contract(Fault.FRAGILE_LATER).anyTextIsHandled();
    assertThrows(
        NumberFormatException.class, contract(Fault.FRAGILE_LATER)::anyTextIsHandledInAnyTurn);
  }

  @Test
  void findsActionsThatAreNotAcceptedLater() {
    contract(Fault.DEAF_LATER).everyListedActionIsAccepted();
    assertThrows(
        AssertionError.class, contract(Fault.DEAF_LATER)::listedActionsAreAcceptedInEveryTurn);
  }

  @Test
  void findsSilenceTakenForAnAction() {
    assertThrows(AssertionError.class, contract(Fault.CREDULOUS)::anEmptyTextIsNotAnAction);
  }

  @Test
  void findsEpisodesBoundToAThread() {
    contract(Fault.BOUND).equalSeedsGiveEqualEpisodes();
    assertThrows(AssertionError.class, contract(Fault.BOUND)::anEpisodeMayMoveFromThreadToThread);
  }

  @Test
  void findsPicturesThatComeAndGo() {
    assertThrows(
        AssertionError.class, contract(Fault.BLINKING)::picturesAreThereInEveryTurnOrInNone);
  }

  @Test
  void findsPicturesThatAreHandedOutAgain() {
    assertThrows(AssertionError.class, contract(Fault.REUSED)::picturesAreThereInEveryTurnOrInNone);
  }

  @Test
  void findsWorldsThatAreDrawnAtTheStartAlone() {
    assertThrows(AssertionError.class, contract(Fault.VANISHING)::observationsExistFromStartToEnd);
  }

  @Test
  void findsUnreportedMetrics() {
    assertThrows(AssertionError.class, contract(Fault.UNREPORTED)::aggregatedMetricsExist);
  }

  @Test
  void findsWaste() {
    assertThrows(AssertionError.class, contract(Fault.WASTEFUL)::turnsAllocateLittle);
  }

  private static EnvironmentContract contract(Fault fault) {
    Environment environment = new Countdown(fault);
    return new EnvironmentContract() {
      @Override
      protected Environment environment() {
        return environment;
      }
    };
  }

  private enum Fault {
    NONE,
    SHARED,
    NAN,
    ENDLESS,
    DEAF,
    DEAF_LATER,
    FRAGILE,
    FRAGILE_LATER,
    CREDULOUS,
    BOUND,
    BLINKING,
    REUSED,
    VANISHING,
    UNREPORTED,
    WASTEFUL
  }

  /** An environment that counts down from a random number; the action "2" subtracts two. */
  private record Countdown(Fault fault, AtomicInteger shared) implements Environment, Scenario {
    Countdown(Fault fault) {
      this(fault, new AtomicInteger());
    }

    @Override
    public String description() {
      return "Counts down.";
    }

    @Override
    public Scenario configure(Options options) {
      return this;
    }

    @Override
    public String instruction() {
      return "";
    }

    @Override
    public Map<String, Aggregation> aggregations() {
      return fault == Fault.UNREPORTED ? Map.of("succes", Aggregation.LAST) : Map.of();
    }

    @Override
    public Episode reset(long seed) {
      AtomicInteger left = fault == Fault.SHARED ? shared : new AtomicInteger();
      left.addAndGet(3 + Math.floorMod(seed, 5));
      return new Count(fault, left);
    }
  }

  private record Count(
      Fault fault, AtomicInteger left, AtomicInteger turns, Thread owner, BufferedImage kept)
      implements Episode {
    Count(Fault fault, AtomicInteger left) {
      this(
          fault,
          left,
          new AtomicInteger(),
          Thread.currentThread(),
          new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB));
    }

    private boolean later() {
      return turns.get() > 0;
    }

    @Override
    public String observation() {
      return "left: " + left;
    }

    @Override
    public List<String> actions() {
      return List.of("1", "2");
    }

    @Override
    public String respond(String action) {
      boolean deaf = fault == Fault.DEAF || (fault == Fault.DEAF_LATER && later());
      return deaf ? "-" + action : action;
    }

    @Override
    public Optional<BufferedImage> picture() {
      if (fault == Fault.REUSED) {
        return Optional.of(kept);
      }
      return fault == Fault.BLINKING && !later() ? render() : Optional.empty();
    }

    @Override
    public Step step(String response) {
      boolean fragile = fault == Fault.FRAGILE || (fault == Fault.FRAGILE_LATER && later());
      turns.incrementAndGet();
      boolean valid =
          response.equals("1")
              || response.equals("2")
              || (response.isEmpty() && fault == Fault.CREDULOUS);
      boolean away = fault == Fault.BOUND && owner != Thread.currentThread();
      if ((valid && !response.isEmpty()) || fragile) {
        left.addAndGet(fault == Fault.ENDLESS || away ? 0 : -Integer.parseInt(response));
      }
      if (fault == Fault.WASTEFUL) {
        left.addAndGet(0 * new byte[4 << 20].length);
      }
      boolean done = left.get() <= 0;
      double reward = fault == Fault.NAN ? Double.NaN : done ? 1 : 0;
      return new Step(
          observation(), reward, done, false, Map.of("action_is_valid", valid ? 1.0 : 0));
    }

    @Override
    public Optional<BufferedImage> render() {
      BufferedImage image = new BufferedImage(8, 1, BufferedImage.TYPE_INT_RGB);
      image.setRGB(Math.clamp(left.get(), 0, 7), 0, 0xFFFFFF);
      return fault == Fault.VANISHING && later() ? Optional.empty() : Optional.of(image);
    }
  }
}

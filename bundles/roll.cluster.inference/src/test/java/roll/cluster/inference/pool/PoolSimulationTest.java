package roll.cluster.inference.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The simulation itself fails where a request is answered twice, or never. */
class PoolSimulationTest {
  @Test
  void aThousandEnginesShareEvenly() {
    PoolSimulation.Outcome outcome = new PoolSimulation().run(1000, 20_000, 0, 0, 0);
    assertEquals(0, outcome.again());
    assertTrue(outcome.time() < 1.5 * outcome.ideal(), outcome::toString);
    assertTrue(outcome.most() < 1.5, outcome::toString);
  }

  @Test
  void whatIsLostIsDoneAgainAndNothingElse() {
    PoolSimulation.Outcome outcome = new PoolSimulation().run(1000, 20_000, 10, 100, 100);
    assertTrue(outcome.again() >= 100 && outcome.again() <= 400, outcome::toString);
    assertTrue(outcome.time() < 1.7 * outcome.ideal(), outcome::toString);
  }
}

package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.EnvironmentMix;
import roll.api.option.Options;

/**
 * The contract accepts a correct curriculum (the inherited tests) and finds the faults of others.
 */
class CurriculumContractTest extends CurriculumContract {
  @Override
  protected Curriculum curriculum() {
    return giving(progress -> mix(progress, 1.0 / progress.levels().size()));
  }

  @Test
  void findsSharesOfMoreThanAll() {
    CurriculumContract contract = contract(progress -> mix(progress, 0.5));
    assertThrows(AssertionError.class, contract::sharesAddUpToOne);
  }

  @Test
  void findsTagsThatAreNone() {
    CurriculumContract contract =
        contract(progress -> new EnvironmentMix(Map.of("Other", 1.0), Map.of()));
    assertThrows(AssertionError.class, contract::sharesAddUpToOne);
  }

  @Test
  void findsStateOutsideOfTheMemory() {
    AtomicInteger asked = new AtomicInteger();
    CurriculumContract contract =
        contract(
            progress ->
                new EnvironmentMix(
                    Map.of("A", 1.0), Map.of("asked", (double) asked.incrementAndGet())));
    assertThrows(AssertionError.class, contract::theProgressAloneDecides);
  }

  private static EnvironmentMix mix(CurriculumProgress progress, double each) {
    Map<String, Double> shares = new HashMap<>();
    progress.levels().forEach(level -> shares.put(level.tag(), each));
    return new EnvironmentMix(shares, Map.of("step", (double) progress.step()));
  }

  private static CurriculumContract contract(Function<CurriculumProgress, EnvironmentMix> mixes) {
    return new CurriculumContract() {
      @Override
      protected Curriculum curriculum() {
        return giving(mixes);
      }
    };
  }

  private static Curriculum giving(Function<CurriculumProgress, EnvironmentMix> mixes) {
    return new Curriculum() {
      @Override
      public String description() {
        return "as the test says";
      }

      @Override
      public EnvironmentMix next(CurriculumProgress progress, Options options) {
        return mixes.apply(progress);
      }
    };
  }
}

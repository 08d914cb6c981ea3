package roll.core.curriculum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.EnvironmentMix;
import roll.api.option.Options;
import roll.core.plugin.PluginException;
import roll.core.plugin.PluginGuard;

/** A curriculum that fails, or answers what cannot be, is named in one line. */
class GuardedCurriculumTest {
  private static final CurriculumProgress PROGRESS =
      new CurriculumProgress(
          3, 1, List.of(new CurriculumProgress.Level("A", 1, List.of())), Map.of());

  @Test
  void whatIsRightIsPassedOn() {
    EnvironmentMix mix = new EnvironmentMix(Map.of("A", 1.0), Map.of("level", 2.0));
    assertEquals(mix, guarded(progress -> mix).next(PROGRESS));
  }

  @Test
  void answersThatCannotBeAreRefused() {
    refused(
        "next gave shares that add up to 0.5, not to 1",
        new EnvironmentMix(Map.of("A", 0.5), Map.of()));
    refused("next gave 'A' the share NaN", new EnvironmentMix(Map.of("A", Double.NaN), Map.of()));
    refused("next gave 'A' the share -1.0", new EnvironmentMix(Map.of("A", -1.0), Map.of()));
    refused(
        "next gave a share to 'B', which is not in [A]",
        new EnvironmentMix(Map.of("B", 1.0), Map.of()));
    refused(
        "next gave 'level' = Infinity to be remembered",
        new EnvironmentMix(Map.of("A", 1.0), Map.of("level", Double.POSITIVE_INFINITY)));
  }

  @Test
  void exceptionsAreToldWithThePlugin() {
    GuardedCurriculum broken =
        guarded(
            progress -> {
              throw new IllegalStateException("no idea");
            });
    String line = assertThrows(PluginException.class, () -> broken.next(PROGRESS)).getMessage();
    assertEquals(
        "curriculum 'odd' (odd.bundle 1.0.0): next threw java.lang.IllegalStateException: no idea",
        line);
  }

  private static void refused(String line, EnvironmentMix mix) {
    GuardedCurriculum guarded = guarded(progress -> mix);
    assertEquals(
        "curriculum 'odd' (odd.bundle 1.0.0): " + line,
        assertThrows(PluginException.class, () -> guarded.next(PROGRESS)).getMessage());
  }

  private static GuardedCurriculum guarded(Function<CurriculumProgress, EnvironmentMix> mixes) {
    Curriculum curriculum =
        new Curriculum() {
          @Override
          public String description() {
            return "as the test says";
          }

          @Override
          public EnvironmentMix next(CurriculumProgress progress, Options options) {
            return mixes.apply(progress);
          }
        };
    return new GuardedCurriculum(
        curriculum, Map.of(), PluginGuard.of("curriculum", "odd", "odd.bundle 1.0.0"));
  }
}

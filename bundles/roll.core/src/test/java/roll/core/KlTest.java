package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.KlConfig;

/** Numbers of reference/roll.md Appendix A and reference/verl_agentfly.md §12. */
class KlTest {
  @ParameterizedTest
  @CsvSource({
    "kl, .3, .3",
    "abs, -.3, .3",
    "mse, .3, .045",
    "k3, .3, .0408182",
    "k3, .2, .018731",
    "k3, -.2, .021403",
    "k3, -29.5, 10",
    "k3, 24.9, 10",
    "k3, -2.5, 8.682494",
    "k3, 3, 2.049787"
  })
  void estimates(String kind, double difference, double expected) {
    assertEquals(expected, Kl.penalty(kind, difference), 2e-6);
  }

  @Test
  void refuses_an_unknown_kind() {
    assertThrows(IllegalArgumentException.class, () -> Kl.penalty("full", 1));
  }

  @Test
  void steers_towards_the_target() {
    KlController controller = new KlController(new KlConfig(true, "kl", .2, .1, 10000));
    controller.update(.2, 1024);
    assertEquals(.204096, controller.coefficient(), 1e-9);

    KlController slow = new KlController(new KlConfig(true, "kl", .2, 6.0, 10000));
    slow.update(60, 256);
    assertEquals(.201024, slow.coefficient(), 1e-9);
    slow.update(0, 256);
    assertEquals(.199995, slow.coefficient(), 1e-6);
  }

  @Test
  void keeps_a_fixed_coefficient() {
    KlController controller = new KlController(new KlConfig(true, "kl", .2, null, 10000));
    controller.update(99, 1024);
    assertEquals(.2, controller.coefficient());
  }
}

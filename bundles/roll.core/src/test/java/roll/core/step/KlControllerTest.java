package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import roll.runtime.config.algorithm.KlConfig;

/**
 * Numbers of the adaptive controllers of {@code
 * alibaba/ROLL@8eb27cc:roll/utils/kl_controller.py#L17} and {@code
 * volcengine/verl@b178a3c:verl/trainer/ppo/core_algos.py#L152} in double precision.
 */
class KlControllerTest {
  @Test
  void steersTowardTheTarget() {
    KlController controller = new KlController(new KlConfig(true, "kl", .2, .1, 10000));
    controller.update(.2, 1024);
    assertEquals(.204096, controller.coefficient(), 1e-9);

    KlController verl = new KlController(new KlConfig(true, "kl", .001, .1, 10000));
    verl.update(.11, 1024);
    assertEquals(.00101024, verl.coefficient(), 1e-12);

    KlController slow = new KlController(new KlConfig(true, "kl", .2, 6.0, 10000));
    slow.update(60, 256);
    assertEquals(.201024, slow.coefficient(), 1e-9);
    slow.update(0, 256);
    assertEquals(.199995, slow.coefficient(), 1e-6);
    slow.update(6, 256);
    assertEquals(.199995, slow.coefficient(), 1e-6);
  }

  @Test
  void keepsAFixedCoefficient() {
    KlController controller = new KlController(new KlConfig(true, "kl", .2, null, 10000));
    controller.update(99, 1024);
    assertEquals(.2, controller.coefficient());
  }
}

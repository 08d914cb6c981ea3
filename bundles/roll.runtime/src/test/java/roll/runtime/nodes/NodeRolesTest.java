package roll.runtime.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

/** Roles by name. */
class NodeRolesTest {
  @Test
  void namesAreReadAndWrongOnesRefused() {
    assertEquals(
        List.of("reference", "environment"),
        NodeRoles.read("--roles", "reference, environment,reference"));
    UserException wrong =
        assertThrows(UserException.class, () -> NodeRoles.read("--roles", "actor_infer,trainer"));
    assertEquals(
        "--roles: unknown role 'trainer' (allowed: actor_infer, reference, reward_models,"
            + " environment)",
        wrong.getMessage());
    assertThrows(UserException.class, () -> NodeRoles.read("--roles", ""));
  }

  @Test
  void rewardModelsAreOneRoleAndTeachersReferences() {
    assertEquals("reference", NodeRoles.of("teachers.math"));
    assertEquals("reward_models", NodeRoles.of("reward_models.judge"));
    assertEquals("actor_infer", NodeRoles.of("actor_infer"));
  }
}

package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.config.tree.Composition;

class CompositionTest {
  @TempDir Path folder = Path.of("");

  @BeforeEach
  void base() {
    write("config/base.yaml", "a: 1\nm: {x: 1, y: {z: 2}}\nlist: [1, 2]\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../config/base@_here_",
        "../config/base.yaml@_here_",
        "../config/base",
        "../config/base.yaml",
      })
  void theFileWinsOverItsDefaultsKeyByKey(String entry) {
    Path run =
        write("run/run.yaml", "defaults:\n  - " + entry + "\nm: {y: {w: 3}}\nlist: [9]\nb: 4\n");
    Composition composed = Composition.of(run);

    assertEquals(
        Map.of(
            "a", 1, "m", Map.of("x", 1, "y", Map.of("z", 2, "w", 3)), "list", List.of(9), "b", 4),
        composed.tree());
    assertEquals(Set.of("a", "m", "list"), composed.inherited());
    assertEquals(run + ":3", composed.origins().of("m.y.w"));
    assertEquals(folder.resolve("config/base.yaml") + ":2", composed.origins().of("m.x"));
  }

  @Test
  void laterEntriesWinAndSelfHasAPlace() {
    write("config/other.yaml", "defaults: [base]\na: 2\n");
    assertEquals(
        2,
        Composition.of(write("run/r.yaml", "defaults: [../config/other, _self_]")).tree().get("a"));
    assertEquals(
        1,
        Composition.of(write("run/r.yaml", "defaults: [_self_, ../config/base]\na: 7\n"))
            .tree()
            .get("a"));
  }

  @Test
  void aFileOfTheListMayBeEmpty() {
    write("config/none.yaml", "# nothing yet\n");
    Composition composed =
        Composition.of(write("run/r.yaml", "defaults: [../config/none, ../config/base]\nb: 1\n"));
    assertEquals(Set.of("a", "m", "list", "b"), composed.tree().keySet());
  }

  @Test
  void whatIsNotARelativePathIsRefusedByName() {
    String allowed =
        "' is not supported (allowed: a relative path such as ../config/traj_envs@_here_, or"
            + " _self_)";
    assertEquals("run/r.yaml:1: defaults: '{db=mysql}" + allowed, refusal("defaults: [db: mysql]"));
    assertEquals("run/r.yaml:1: defaults: 'x@pkg" + allowed, refusal("defaults: [x@pkg]"));
    assertEquals("run/r.yaml:1: defaults: '/x" + allowed, refusal("defaults: [/x]"));
    assertEquals(
        "run/r.yaml:1: defaults: 'optional x" + allowed, refusal("defaults: [optional x]"));
    assertEquals("run/r.yaml:1: defaults: expected a list, found 'x'", refusal("defaults: x"));
  }

  /** verl's examples find its files on a search path. */
  @Test
  void verlsOwnFilesNeedNotBeThere() {
    for (List<String> name :
        List.of(List.of("ppo_trainer", "fsdp"), List.of("ppo_megatron_trainer", "megatron"))) {
      Path run =
          write(
              "run/v.yaml",
              "defaults: [%s, _self_]\nactor_rollout_ref: {rollout: {n: 2}}\n"
                  .formatted(name.getFirst()));
      Map<String, Object> role =
          Map.of("actor", Map.of("strategy", name.getLast()), "rollout", Map.of("n", 2));
      assertEquals(Map.of("actor_rollout_ref", role), Composition.of(run).tree());
    }
    Map<String, ?> ahead =
        Composition.of(write("run/v.yaml", "defaults: [one_step_off_ppo_trainer]\n")).tree();
    assertEquals(Map.of("nnodes", 1), ahead.get("rollout"));
    write("run/ppo_trainer.yaml", "a: 3\n");
    assertEquals(
        Map.of("a", 3, "b", 1),
        Composition.of(write("run/v.yaml", "defaults: [ppo_trainer]\nb: 1\n")).tree());
  }

  @Test
  void missingEmptyAndCircularFilesAreRefused() {
    assertEquals(
        "run/r.yaml:2: defaults: no file 'config/bose.yaml'; did you mean 'base'?",
        refusal("a: 1\ndefaults: [../config/bose]"));
    assertEquals("run/r.yaml: the file is empty", refusal("# nothing\n"));
    assertEquals("run/r.yaml: expected a mapping of keys", refusal("- 1\n"));
    write("config/loop.yaml", "defaults: [../run/r]\n");
    assertEquals(
        "config/loop.yaml: defaults: 'run/r.yaml' builds on itself",
        refusal("defaults: [../config/loop]"));
  }

  private String refusal(String text) {
    Path run = write("run/r.yaml", text);
    return userError(() -> Composition.of(run)).replace(folder + "/", "");
  }

  private Path write(String name, String text) {
    return new ConfigFiles(folder).write(name, text);
  }
}

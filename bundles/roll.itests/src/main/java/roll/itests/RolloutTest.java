package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.Trainer;

/** {@code rollout} with agents on the shipped environments, and with a model. */
@Tag("framework")
@Timeout(120)
class RolloutTest {
  private static final String ENVIRONMENTS =
      """
      custom_envs:
        Lake: {env_type: frozen_lake, max_steps: 20, env_config: {is_slippery: false}}
        Picture: {env_type: frozen_lake, max_steps: 9, env_config: {render_mode: rgb_array}}
        Box: {env_type: sokoban, max_steps: 100, env_config: {dim_room: [6, 6], max_steps: 100}}
        Shop: {env_type: webshop, max_steps: 10}
        Read: {env_type: click_and_read, max_steps: 5}
        Fresh: {env_type: frozen_lake, env_manager_cls: step, max_steps: 9,
                agent_template: "{history} {current_observation}"}
      train_env_manager: {tags: [Lake, Picture, Box, Shop, Read, Fresh], group_size: 2}
      val_env_manager: {group_size: 1}
      """;

  private final Path folder;

  RolloutTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Returns the command's output; the rollout is in {@code folder/<name>}. */
  private String rollout(String name, String... arguments) throws Exception {
    Path file = Files.writeString(folder.resolve("envs.yaml"), ENVIRONMENTS);
    return CommandsTest.run(
        "roll:rollout '%s' output_dir='%s' exp_name=%s %s"
            .formatted(file, folder, name, String.join(" ", arguments)));
  }

  private List<JsonObject> trajectories(String name) throws IOException {
    List<JsonObject> trajectories = new ArrayList<>();
    for (String line :
        Files.readAllLines(folder.resolve(name).resolve("trajectories/step-0.jsonl"))) {
      trajectories.add(JsonParser.parseString(line).getAsJsonObject());
    }
    return trajectories;
  }

  private static double mean(List<JsonObject> trajectories, String tag, String metric) {
    return trajectories.stream()
        .filter(trajectory -> trajectory.get("tag").getAsString().equals(tag))
        .mapToDouble(trajectory -> trajectory.getAsJsonObject("metrics").get(metric).getAsDouble())
        .average()
        .orElseThrow();
  }

  @Test
  void theRandomAgentDoesWhatIsValid() throws Exception {
    String printed = rollout("random", "--agent random --episodes 60");
    assertTrue(printed.contains("60 episodes, "), printed);
    List<JsonObject> played = trajectories("random");
    assertEquals(60, played.size());
    for (String tag : List.of("Lake", "Picture", "Box", "Shop", "Read", "Fresh")) {
      assertTrue(printed.contains("\n" + tag), printed);
      assertEquals(1, mean(played, tag, "action_is_valid"), tag);
      assertEquals(0, mean(played, tag, "format_penalty"), tag);
    }
    JsonArray said = played.getFirst().getAsJsonArray("messages");
    String answer = said.get(1).getAsJsonObject().get("content").getAsString();
    assertTrue(answer.matches("<answer>(Left|Down|Right|Up)</answer>"), answer);
    for (JsonElement sequence : played.getFirst().getAsJsonArray("sequences")) {
      sequence
          .getAsJsonObject()
          .getAsJsonArray("log_probs")
          .forEach(number -> assertEquals(0, number.getAsDouble()));
    }
    try (Stream<Path> frames = Files.list(folder.resolve("random/frames"))) {
      assertEquals(4, frames.count());
    }
  }

  @Test
  void theScriptedAgentSucceeds() throws Exception {
    rollout("scripted", "--agent scripted --episodes 60");
    List<JsonObject> played = trajectories("scripted");
    for (String tag : List.of("Lake", "Box", "Shop", "Read")) {
      assertEquals(1, mean(played, tag, "success"), tag);
    }
  }

  /** An agent needs no policy, but its reward uses a model. */
  @Test
  void whatAnAgentWritesIsJudgedByAModel() throws Exception {
    CommandsTest.run(
        "roll:rollout '%s' output_dir='%s' exp_name=judged --agent scripted --val --episodes 4"
                .formatted(SmallRuns.config("guidelines_small.yaml"), folder)
            + " reward_models.solver.model_args.model_name_or_path='%s' pretrain=''"
                .formatted(SmallRuns.config("models/arithmetic-tiny"))
            + " custom_envs.Guidelines.rewards.guideline.log_dir='%s'".formatted(folder));
    assertEquals(4, trajectories("judged").size());
    assertEquals(4, Files.readAllLines(folder.resolve("solver.jsonl")).size());
  }

  @Test
  void theSameSeedGivesTheSameBytesAndAnotherOneOthers() throws Exception {
    for (String name : List.of("a", "b")) {
      rollout(name, "--agent random --episodes 24");
    }
    rollout("c", "--agent random --episodes 24 seed=7");
    rollout("d", "--agent random --episodes 24 --val");
    assertEquals(trajectories("a"), trajectories("b"));
    assertNotEquals(trajectories("a"), trajectories("c"));
    Set<JsonElement> ids = new TreeSet<>((x, y) -> x.toString().compareTo(y.toString()));
    trajectories("a").forEach(trajectory -> ids.add(trajectory.get("id")));
    trajectories("d").forEach(trajectory -> assertFalse(ids.contains(trajectory.get("id"))));
  }

  /** The saved configuration reproduces the rollout. */
  @Test
  void theEffectiveConfigurationIsEnough() throws Exception {
    rollout("first", "--agent random --episodes 12");
    Path saved = folder.resolve("first/config.yaml");
    CommandsTest.run("roll:rollout '%s' exp_name=second --episodes 12".formatted(saved));
    assertEquals(trajectories("first"), trajectories("second"));
  }

  @Test
  void aModelPlaysWithoutTraining() throws Exception {
    String printed =
        CommandsTest.run(
            "roll:rollout '%s' output_dir='%s' exp_name=model pretrain='%s' --val --episodes 8"
                .formatted(
                    SmallRuns.config("frozen_lake.yaml"),
                    folder,
                    SmallRuns.config("models/frozen-lake-tiny")));
    assertTrue(printed.contains("\nFrozenLake  8 "), printed);
    JsonObject sequence =
        trajectories("model").getFirst().getAsJsonArray("sequences").get(0).getAsJsonObject();
    assertTrue(
        sequence.getAsJsonArray("log_probs").asList().stream().anyMatch(p -> p.getAsDouble() < 0));
    assertFalse(Files.exists(folder.resolve("model/checkpoint-0")));
  }

  /** The requested number of episodes is played, even if it is no multiple of the group size. */
  @Test
  void asManyEpisodesArePlayedAsAreAskedFor() throws Exception {
    String printed = rollout("any", "--agent random --episodes 3");
    assertTrue(printed.contains("3 episodes, "), printed);
  }

  @TestFactory
  Stream<DynamicTest> mistakesAreOneLine() {
    String agent = "--agent random ";
    return Stream.of(
        mistake("--agent randm", "llm_proxy.proxy_type: no roll.agent 'randm' is registered"),
        mistake("--agent randm", "did you mean 'random'?"),
        mistake("--agent openai", "llm_proxy.proxy_config.base_url is required"),
        mistake("", "pretrain is missing: it names the model folder (without a model an agent"),
        mistake(agent + "--episodes 0", "--episodes: expected an integer from 1"),
        mistake(agent + "rollout_batch_size=13", "the batch size: expected a multiple of"),
        mistake(agent + "custom_envs.Lake.env_type=lake", "Lake.env_type: no roll.env 'lake'"),
        mistake(agent + "custom_envs.Lake.env_manager_cls=t", "no roll.env.manager 't' is"),
        mistake(agent + "custom_envs.Lake.env_config.size=1", "size: expected an integer"),
        mistake(agent + "custom_envs.Lake.agent_template=x", "{observation} is missing"),
        mistake(agent + "custom_envs.Lak.max_steps=3", "Lak.env_type is missing"),
        mistake(agent + "resume_from_checkpoint=true", "a rollout continues nothing"),
        mistake(agent + "train_env_manager.group_filter_cls=x", "no roll.group.filter 'x'"),
        mistake(
            "'train_env_manager.llm_proxy={proxy_type: scripted, proxy_config: {with: 1}}'",
            "llm_proxy.proxy_config: unknown key 'with' (allowed: without_expert)"));
  }

  private DynamicTest mistake(String arguments, String part) {
    return DynamicTest.dynamicTest(
        arguments + " → " + part,
        () -> {
          UserException e = assertThrows(UserException.class, () -> rollout("wrong", arguments));
          assertTrue(e.getMessage().contains(part), e.getMessage());
          assertFalse(e.getMessage().contains("\n"), e.getMessage());
          assertFalse(Files.exists(folder.resolve("wrong")));
        });
  }

  @Test
  void aFolderIsWrittenOnce() throws Exception {
    rollout("once", "--agent random --episodes 12");
    UserException e =
        assertThrows(UserException.class, () -> rollout("once", "--agent random --episodes 12"));
    assertTrue(
        e.getMessage().endsWith("already holds a run: set another exp_name or output_dir"),
        e.getMessage());
  }

  @Test
  void trainingNeedsThePolicyAndValidationDoesNot() throws Exception {
    String train = "train_env_manager.llm_proxy.proxy_type=";
    String validate = "val_env_manager.llm_proxy.proxy_type=";
    assertEquals(
        "train_env_manager.llm_proxy.proxy_type: 'random' gives no log-probs to train on; a"
            + " training run needs 'policy' (roll:rollout plays episodes with an agent)",
        refused(train + "random"));
    assertTrue(
        refused(validate + "randm").startsWith("val_env_manager.llm_proxy.proxy_type: no roll.ag"));
    var run =
        SmallRuns.start("frozen_lake.yaml", folder, List.of("max_steps=1", validate + "scripted"));
    var metrics = run.outcome().get().lastMetrics();
    assertTrue(metrics.getOrDefault("val/score/mean", 0.0) > 0.3, metrics::toString);
  }

  private String refused(String override) {
    var config = SmallRuns.load("frozen_lake.yaml", folder, List.of(override));
    Trainer trainer = SmallRuns.service(Trainer.class);
    return assertThrows(UserException.class, () -> trainer.check(config)).getMessage();
  }
}

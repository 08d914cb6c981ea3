package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun;

/** Commands, invoked through the shell. */
@Tag("framework")
@Timeout(240)
class CommandsTest {
  @Test
  void servicesNamesEveryPlugin() throws Exception {
    String listed = run("roll:services");
    for (Bundle plugin : Plugins.all().toList()) {
      for (ProvidedPlugin offer : Plugins.offers(plugin)) {
        assertTrue(listed.contains(offer.name()), () -> offer + " is missing in\n" + listed);
      }
    }
  }

  /** Errors of the shell's syntax are reported, although Gogo hides them. */
  @ParameterizedTest
  @ValueSource(
      strings = {"train no.yaml", "sft no.yaml", "rollout no.yaml", "check no.yaml", "serve no"})
  void whatFailsInTheBackgroundSaysWhy(String command) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    try (CommandSession session =
        SmallRuns.service(CommandProcessor.class)
            .createSession(InputStream.nullInputStream(), out, out)) {
      session.execute("roll:" + command + " &");
      Waits.until(() -> session.jobs().isEmpty());
    }
    String said = printed.toString(StandardCharsets.UTF_8);
    assertEquals(1, said.lines().filter(line -> line.startsWith("roll: ")).count(), said);
  }

  /** Every command parses and explains its own syntax. */
  @Test
  void everyCommandIsReadAndExplained() throws Exception {
    ServiceReference<?>[] commands =
        Plugins.context().getAllServiceReferences(null, "(osgi.command.scope=roll)");
    for (ServiceReference<?> command : commands) {
      String name = String.valueOf(command.getProperty("osgi.command.function"));
      String help = run("roll:help " + name);
      assertTrue(help.contains("\nusage: " + name), help);
      UserException wrong =
          assertThrows(UserException.class, () -> run("roll:" + name + " --no-such-option"));
      String said = String.valueOf(wrong.getMessage());
      assertTrue(said.startsWith(name + ": unknown option --no-such-option"), said);
    }
    assertTrue(commands.length > 30, () -> commands.length + " commands");
  }

  @Test
  void aModelFolderWritesOnAndScores() throws Exception {
    Path model = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    String options =
        " --random-weights --choice Up --choice Down --temperature 1 --num-return-sequences 20"
            + " --json";
    Set<String> texts = new TreeSet<>();
    run("roll:generate '" + model + "' '_OPG\n'" + options)
        .lines()
        .forEach(line -> texts.add(json(line).get("text").getAsString()));
    assertEquals(Set.of("Up", "Down"), texts);
    JsonObject scored =
        json(run("roll:logprobs '" + model + "' 'UpDownUp' --json --random-weights"));
    assertEquals(3, scored.getAsJsonArray("ids").size());
    assertEquals(2, scored.getAsJsonArray("logprobs").size());
    assertEquals(2, scored.getAsJsonArray("entropy").size());
    assertTrue(
        run("roll:generate '" + model + "' Up --random-weights --max-new-tokens 3").endsWith("\n"));
  }

  @Test
  void aModelFolderIsShown() throws Exception {
    Path model = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    JsonObject shown = json(run("roll:model show '" + model + "' --json"));
    assertEquals("qwen2", shown.get("family").getAsString());
    assertFalse(shown.has("dtype"));
    long weights = shown.get("parameters").getAsLong();
    JsonObject memory = shown.getAsJsonObject("memory");
    assertEquals(16 * weights, memory.getAsJsonObject("training").get("fp32").getAsLong());
  }

  /** A 3 B model fits on an 80 GiB device and is refused on a 40 GiB one. */
  @Test
  void aPlanFitsOrIsRefused() throws Exception {
    String plan =
        "roll:plan '"
            + SmallRuns.config("click_and_read_zero3.yaml")
            + "' actor_train.strategy_args.strategy_name=local_train"
            + " 'actor_train.strategy_args.strategy_config={}' 'actor_train.device_mapping=[0]'"
            + " 'actor_infer.device_mapping=[1]' 'reference.device_mapping=[1]'";
    String fits = run(plan);
    assertTrue(fits.strip().endsWith("It fits."), fits);
    assertTrue(fits.contains("mini_batch"), fits);
    // 18 bytes for each of 3,085,938,688 weights
    assertTrue(
        fits.matches("(?s).*train +0 +actor_train +5.75 GiB +11.50 GiB +34.49 GiB .*"), fits);
    UserException refused =
        assertThrows(UserException.class, () -> run(plan + " device_memory_gb=40"));
    assertTrue(
        refused.getMessage().contains("device 0 cannot hold phase train: it needs 59.14 GiB"),
        refused.getMessage());
    assertTrue(
        refused
            .getMessage()
            .contains("34.49 GiB, is optimizer of actor_train: change actor_train."),
        refused.getMessage());
  }

  /** Trajectories of a run are listed, and shown with the text of each token. */
  @Test
  void aTrajectoryIsShown(@TempDir Path folder) throws Exception {
    List<String> keys = List.of("exp_name=shown", "max_steps=1", "eval_steps=0");
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, keys);
    run.outcome().get();
    String file = " '" + run.folder().resolve("trajectories/step-0.jsonl") + "'";
    List<String> listed = run("roll:trajectory list" + file).lines().toList();
    assertEquals(33, listed.size());
    String id = listed.get(32).substring(0, listed.get(32).indexOf(' '));
    String page = run("roll:trajectory show" + file + " " + id);
    assertTrue(page.startsWith(id + "\n"), page);
    assertTrue(page.contains("\n  response ("), page);
    assertFalse(page.contains("\u001B["), page);
    String painted = run("roll:trajectory show --color" + file + " " + id);
    assertTrue(painted.contains("token probability"), painted);
    assertTrue(
        painted.replaceAll("\u001B\\[[0-9;]*m", "").startsWith(page.stripTrailing()), painted);
  }

  /** Rollouts with failing environments have complete groups, or the command fails. */
  @Test
  void rolloutsThatFailAreMeasured() throws Exception {
    Path model = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    List<String> rows =
        run("roll:bench rollout share=0.15 groups=4 turns=3 --quick --model '" + model + "'")
            .lines()
            .filter(line -> line.startsWith("some throw"))
            .toList();
    assertEquals(8, rows.size(), "without and with redundancy, and ahead, with two policies");
    for (String row : rows) {
      List<String> cells = List.of(row.split(" {2,}"));
      assertTrue(Integer.parseInt(cells.get(4)) > 0, () -> "none failed: " + row);
    }
  }

  /** Every registered loss computes verl's numbers under each of its names. */
  @Test
  void everyLossComputesItsExample(@TempDir Path folder) throws Exception {
    Path batch = folder.resolve("batch.json");
    Files.writeString(
        batch,
        """
        {"log_probs": [[-1, -0.7, -1.5, -0.9], [-0.3, -2.5, -1.9, -2]],
         "old_log_probs": [[-1, -1, -1, -1], [-2, -2, -2, -2]],
         "response_mask": [[1, 1, 1, 0], [1, 1, 1, 1]],
         "advantages": [[1, 1, 1, 1], [-1, -1, -1, -1]]}
        """);
    for (JsonElement listed :
        JsonParser.parseString(run("roll:loss list --json")).getAsJsonArray()) {
      String id = listed.getAsJsonObject().get("id").getAsString();
      JsonObject shown = json(run("roll:loss show " + id + " --json"));
      JsonObject tried =
          json(run("roll:loss try " + id + " '" + batch + "' loss_agg_mode=token-mean"));
      assertEquals(shown.get("example"), tried, id);
    }
    assertLoss(.442663, "ppo", batch, "clip_ratio_c=3.0 loss_agg_mode=token-mean");
    assertLoss(.224262, "gspo", batch, "");
    assertLoss(.293494, "geo_mean", batch, "");
    assertLoss(.157834, "sapo", batch, "");
    assertLoss(-.5, "vanilla", batch, "loss_agg_mode=token-mean");
    assertLoss(
        -.488546,
        "cispo",
        batch,
        "cispo_epsilon_low=.2 cispo_epsilon_high=.2 loss_agg_mode=token-mean");
  }

  private static void assertLoss(double expected, String id, Path batch, String words)
      throws Exception {
    JsonObject line = json(run("roll:loss try " + id + " '" + batch + "' " + words));
    assertEquals(expected, line.get("loss").getAsDouble(), 2e-6, id);
  }

  /** {@code try} computes the example that {@code show} prints. */
  @Test
  void everyEstimatorComputesItsExample(@TempDir Path folder) throws Exception {
    Path batch = folder.resolve("batch.json");
    for (JsonElement listed :
        JsonParser.parseString(run("roll:estimator list --json")).getAsJsonArray()) {
      String id = listed.getAsJsonObject().get("id").getAsString();
      JsonObject shown = json(run("roll:estimator show " + id + " --json"));
      Files.writeString(batch, shown.get("example").toString());
      String settings = " gamma=" + shown.get("gamma") + " lambd=" + shown.get("lambd");
      assertEquals(
          shown.get("result"), json(run("roll:estimator try " + id + " " + batch + settings)), id);
    }
  }

  /** Every reward and grader grades a text, or says in one line what else it needs. */
  @Test
  void everyRewardAndGraderGradesARowOrSaysWhatItNeeds(@TempDir Path folder) throws Exception {
    Path rows = folder.resolve("rows.jsonl");
    Files.writeString(
        rows,
        """
        {"answer": "1/2", "response": "so it is $\\\\boxed{\\\\frac{1}{2}}$"}
        {"answer": 3, "response": "so it is 4"}
        """);
    Set<String> graded = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    for (String kind : List.of("roll.reward", "roll.grader")) {
      for (ServiceReference<?> reference :
          Plugins.context().getAllServiceReferences(null, "(" + kind + "=*)")) {
        for (String name : (String[]) reference.getProperty(kind)) {
          try {
            assertTrue(
                run("roll:grade " + name + " '" + rows + "'").contains("2 rows: mean score"));
            graded.add(name);
          } catch (UserException e) {
            assertFalse(e.getMessage().contains("\n"), e.getMessage());
            refused.add(name);
          }
        }
      }
    }
    assertTrue(
        graded.containsAll(
            Set.of("math_verify", "math_equal_reward", "gsm8k", "em", "string", "gui_reward")),
        () -> graded + " but not " + refused);
    assertTrue(
        refused.containsAll(
            Set.of("guideline", "llm_judge", "overlong", "tool_use", "math_equal_reward_tool")),
        () -> refused + " but not " + graded);
    String printed = run("roll:grade math_verify '" + rows + "'");
    assertTrue(printed.contains("mean score 0.500, correct 50.0 % (1 of 2)"), printed);
  }

  private static JsonObject json(String line) {
    return JsonParser.parseString(line).getAsJsonObject();
  }

  /** Returns the output of a program and its result as the shell prints it. */
  static String run(String program) throws Exception {
    return run(program, "");
  }

  /** Returns the output of a program with {@code input} piped in. */
  static String run(String program, String input) throws Exception {
    InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    ServiceReference<CommandProcessor> reference =
        Plugins.context().getServiceReference(CommandProcessor.class);
    CommandProcessor processor = Plugins.context().getService(reference);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    try (CommandSession session = processor.createSession(in, out, out)) {
      Object result = session.execute(program);
      if (result != null) {
        out.println(session.format(result, Converter.INSPECT));
      }
      return printed.toString(StandardCharsets.UTF_8);
    } finally {
      Plugins.context().ungetService(reference);
    }
  }
}

package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;

/** {@code eval} with a model without training and with an agent that knows the answers. */
@Tag("framework")
@Timeout(120)
class EvalTest {
  private static final String LINES = "trajectories/step-0.jsonl";

  @TempDir Path folder = Path.of("");

  private String eval(String output, String arguments) throws Exception {
    return CommandsTest.run(
        "roll:eval '%s' pretrain='%s' val_batch_size=6 %s --output '%s'"
            .formatted(
                SmallRuns.config("arithmetic.yaml"),
                SmallRuns.config("models/arithmetic-tiny"),
                arguments,
                folder.resolve(output)));
  }

  private JsonElement figures(String output) throws Exception {
    return JsonParser.parseString(Files.readString(folder.resolve(output).resolve("eval.json")))
        .getAsJsonObject()
        .get("figures");
  }

  @Test
  void tasksAreSampledGradedAgainAndCompared() throws Exception {
    String sampled = "--samples 3 --k 1,2,3 val_env_manager.generating_args.temperature=1";
    String printed = eval("model", sampled);
    assertTrue(printed.contains("\nArithmetic  6      18       0.0 %"), printed);
    Set<String> responses = new HashSet<>();
    for (String line : Files.readAllLines(folder.resolve("model").resolve(LINES))) {
      responses.add(JsonParser.parseString(line).getAsJsonObject().get("messages").toString());
    }
    assertTrue(responses.size() > 12, () -> "only " + responses.size() + " different ones of 18");
    eval("again", sampled);
    assertEquals(
        Files.readString(folder.resolve("model").resolve(LINES)),
        Files.readString(folder.resolve("again").resolve(LINES)));
    printed =
        eval(
            "expert",
            "'val_env_manager.llm_proxy={proxy_type: scripted}' --samples 3 --compare '%s'"
                .formatted(folder.resolve("model")));
    assertTrue(printed.contains("tasks won 6, lost 0, tied 0"), printed);
    eval("graded", "--regrade '%s'".formatted(folder.resolve("expert")));
    assertEquals(figures("expert"), figures("graded"));
  }

  @Test
  void equalSamplesAreRefused() {
    UserException e = assertThrows(UserException.class, () -> eval("wrong", "--samples 2"));
    assertEquals(
        "eval: 2 samples per task at temperature 0 are equal: set"
            + " val_env_manager.generating_args.temperature",
        e.getMessage());
    assertFalse(Files.exists(folder.resolve("wrong")));
  }
}

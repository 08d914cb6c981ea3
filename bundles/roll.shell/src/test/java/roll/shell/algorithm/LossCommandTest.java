package roll.shell.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.math.PolicyLossEvaluator;
import roll.shell.Gogo;

/** {@code loss} with a policy gradient that has a scale. */
class LossCommandTest {
  private static final String ROWS =
      "'log_probs':[[-1,-2,0],[-3,-4,-5]],'old_log_probs':[[-1,-1,-1],[-1,-1,-1]],"
          + "'response_mask':[[1,1,0],[1,1,1]],'advantages':[[1,1,1],[-1,-1,-1]]";

  private final LossCommand command =
      new LossCommand(
          List.of(Map.entry(Map.of("roll.loss", new String[] {"plain", "simple"}), new Plain())));
  @TempDir Path folder = Path.of("");

  @Test
  void listAndShow() throws Exception {
    try (Gogo gogo = new Gogo(command, "loss")) {
      assertEquals(
          """
          id     computes                also called
          plain  scaled policy gradient  simple\
          """,
          gogo.run("loss list"));
    }
    try (Gogo gogo = new Gogo(command, "loss")) {
      String page = gogo.run("loss show simple");
      for (String part :
          List.of(
              "plain: scaled policy gradient",
              "also called:\n  simple",
              "formula:\n  L = −sAℓ\n",
              "paper:\n  Williams 1992",
              "options, in pg_variant_args:\n  s: scale\n    number from 0 to 10, default 1",
              "loss  -0.5")) {
        assertTrue(page.contains(part), () -> part + " is not in " + page.replace("\n", "|"));
      }
      String gradient = page.lines().filter(l -> l.startsWith("  gradient")).findFirst().orElse("");
      assertTrue(gradient.contains("-0.142857"), gradient);
    }
  }

  @Test
  void jsonOfListAndShow() throws Exception {
    try (Gogo gogo = new Gogo(command, "loss")) {
      JsonObject page =
          JsonParser.parseString(gogo.run("loss show plain --json")).getAsJsonObject();
      assertEquals("[\"plain\",\"simple\"]", page.get("names").toString());
      assertEquals(
          "[{\"name\":\"s\",\"type\":\"NUMBER\",\"range\":\"from 0 to 10\",\"standard\":1.0,"
              + "\"meaning\":\"scale\"}]",
          page.get("options").toString());
      assertEquals(-0.5, page.getAsJsonObject("example").get("loss").getAsDouble(), 1e-12);
    }
  }

  /** Means 1.5 and −4 of the samples. */
  @Test
  void tryGivesLossGradientAndMetrics() throws Exception {
    JsonObject line = attempt(ROWS);
    assertEquals(-1.25, line.get("loss").getAsDouble(), 1e-12);
    assertEquals("[[-0.25,-0.25,0.0]", line.get("gradient").toString().substring(0, 18));
    assertEquals(-1.25, line.getAsJsonObject("metrics").get("actor/pg_loss").getAsDouble(), 1e-12);
    assertEquals(
        -9 / 5.0, attempt(ROWS, "loss_agg_mode=token-mean").get("loss").getAsDouble(), 1e-12);
    assertEquals(-2.5, attempt(ROWS, "s=2").get("loss").getAsDouble(), 1e-12);
  }

  /** A KL of ½ everywhere and entropies of 1. */
  @Test
  void tryHasKlAndEntropy() throws Exception {
    String more =
        ROWS
            + ",'ref_log_probs':[[-2,-3,0],[-4,-5,-6]],'entropies':[[1,1,1],[1,1,1]],"
            + "'scores':[1,0]";
    double loss =
        attempt(more, "kl_loss_coef=0.5", "kl_loss_type=k2", "entropy_coeff=0.1")
            .get("loss")
            .getAsDouble();
    assertEquals(-1.25 + .25 - .1, loss, 1e-12);
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    assertEquals(
        "loss try: unknown key 'pg_clp' (allowed: pg_clip, pg_clip_low, pg_clip_high,"
            + " dual_clip_loss, kl_loss_coef, kl_loss_type, entropy_loss_coef, loss_agg_mode,"
            + " loss_scale_factor, sequence_length, ratio_type, seed, s); did you mean 'pg_clip'?",
        mistake(ROWS, "pg_clp=1"));
    assertTrue(
        mistake(ROWS, "loss_agg_mode=token_mean")
            .contains("loss_agg_mode: expected one of token-mean, seq-mean-token-sum,"));
    assertTrue(mistake(ROWS, "kl_loss_coef=1").contains("'ref_log_probs' is missing"));
    assertTrue(mistake(ROWS, "s=x").contains("loss try.s: expected number, found 'x'"));
    assertEquals("loss try: expected key=value, found 'x'", mistake(ROWS, "x"));
    try (Gogo gogo = new Gogo(command, "loss")) {
      assertEquals(
          "loss: no loss 'plan' (registered: plain, simple); did you mean 'plain'?",
          assertThrows(UserException.class, () -> gogo.run("loss show plan")).getMessage());
      assertTrue(
          assertThrows(UserException.class, () -> gogo.run("loss try plain"))
              .getMessage()
              .startsWith("loss: expected list, show <id> or try <id> <batch.json>"));
    }
  }

  private JsonObject attempt(String rows, String... words) throws IOException {
    Path file = folder.resolve("batch.json");
    Files.writeString(file, "{" + rows.replace('\'', '"') + "}");
    try (Gogo gogo = new Gogo(command, "loss")) {
      String[] all = new String[words.length + 3];
      all[0] = "try";
      all[1] = "plain";
      all[2] = file.toString();
      System.arraycopy(words, 0, all, 3, words.length);
      return JsonParser.parseString(gogo.call(command, all)).getAsJsonObject();
    }
  }

  private String mistake(String rows, String... words) {
    return assertThrows(UserException.class, () -> attempt(rows, words)).getMessage();
  }

  private static final class Plain implements PolicyLoss {
    private static final Option<Double> SCALE = Option.number("s", 0, 10, "scale").withDefault(1.0);

    @Override
    public LossInfo info() {
      return LossInfo.of("scaled policy gradient", "L = −sAℓ", "Williams 1992").withOptions(SCALE);
    }

    @Override
    public LossResult evaluate(LossInput input, Options options) {
      double scale = options.get(SCALE);
      assertTrue(input.columnOrNull(Batch.SCORES) == null || input.column(Batch.SCORES)[0] == 1);
      return new PolicyLossEvaluator(input)
          .evaluate(t -> t.byLogProb(-scale * t.advantage() * t.logProb(), -scale * t.advantage()));
    }
  }
}

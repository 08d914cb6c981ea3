package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.agent.AgentTools;
import roll.api.agent.AgentType;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.PromptLimit;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.model.ChatTemplates;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.rollout.ChatFormats;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;

/** In conversations with tools exactly the tokens that the model generated are trained on. */
@Tag("framework")
@Timeout(120)
class ToolMasksTest {
  private static final Path QWEN =
      Path.of(System.getProperty("roll.root"), "../shared/data/tokenizer/qwen2.5");

  private final RandomToolConversation talk = new RandomToolConversation(new SplittableRandom(5));

  @BeforeAll
  static void theTokenizerIsThere() {
    assumeTrue(
        Files.isDirectory(QWEN), QWEN + " is absent: the genuine Qwen2.5 tokenizer is needed");
  }

  @Test
  void trainedTokensAreWhatTheModelWrote() throws Exception {
    EnvManager manager = SmallRuns.service(EnvManager.class, "(roll.env.manager=trajectory)");
    AgentType hermes = SmallRuns.service(AgentType.class, "(roll.agent.type=hf)");
    int calls = 0;
    try (Tokenizer tokenizer = SmallRuns.service(TokenizerLoader.class).load(QWEN)) {
      for (int conversation = 0; conversation < 200; conversation++) {
        List<ToolSet> tools = talk.tools();
        int turns = talk.turns();
        List<String> written = new ArrayList<>();
        AgentTools kit = new AgentTools(config(), hermes, tools);
        Policy policy =
            (prompt, sampling, turn) -> {
              written.add(turn + 1 < turns ? talk.calling(hermes, kit.tools()) : talk.text());
              return generation(tokenizer.encode(written.getLast() + "<|im_end|>"));
            };
        Trajectory played = manager.play(context(tokenizer, kit, turns, policy));
        assertEquals(turns, written.size());
        Sequence sequence = played.sequences().getFirst();
        for (int turn = 0; turn < turns; turn++) {
          assertEquals(
              written.get(turn) + "<|im_end|>", tokenizer.decode(ofTurn(sequence, turn), true));
        }
        calls += played.metrics().getOrDefault("tool_calls", 0.0).intValue();
        assertArrayEquals(
            whole(tokenizer, played, kit.tools()),
            sequence.tokens(),
            () -> played.messages().toString());
      }
    }
    assertTrue(calls > 400, calls + " calls only");
  }

  /** Returns the tokens of a turn, and checks that prompts and results have no log-probs. */
  private static int[] ofTurn(Sequence sequence, int turn) {
    int[] kept = new int[sequence.tokens().length];
    int count = 0;
    for (int i = 0; i < kept.length; i++) {
      assertEquals(sequence.turns()[i] >= 0 ? -1 : 0, sequence.logProbs()[i]);
      if (sequence.turns()[i] == turn) {
        kept[count++] = sequence.tokens()[i];
      }
    }
    return Arrays.copyOf(kept, count);
  }

  /** Returns the whole conversation as rendered by the template, up to the model's last token. */
  private static int[] whole(Tokenizer tokenizer, Trajectory played, List<ToolSchema> tools)
      throws InterruptedException {
    Map<String, Object> context = new HashMap<>();
    context.put("add_generation_prompt", false);
    context.put("tools", tools.stream().map(ToolSchema::listed).toList());
    List<Map<String, String>> messages = new ArrayList<>();
    for (Message message : played.messages()) {
      messages.add(Map.of("role", message.role(), "content", message.content()));
    }
    context.put("messages", messages);
    String text =
        SmallRuns.service(ChatTemplates.class)
            .load(QWEN, Clock.systemUTC())
            .render("the conversation", context);
    assertFalse(text.isEmpty());
    int end = text.lastIndexOf("<|im_end|>") + "<|im_end|>".length();
    return tokenizer.encode(text.substring(0, end));
  }

  private EpisodeContext context(Tokenizer tokenizer, AgentTools kit, int turns, Policy policy) {
    EnvConfig config =
        new EnvConfig(
            "Q",
            "question",
            "trajectory",
            EnvLimits.steps(turns),
            new PromptConfig(talk.system(), "{observation}", 5, PromptLimit.NONE),
            Map.of());
    return new EpisodeContext(
        config,
        talk.question(),
        new ModelContext(
            SmallRuns.service(ChatFormats.class).find("native", tokenizer, Map.of()),
            tokenizer,
            policy,
            Sampling.of(4096),
            1 << 16),
        new TrajectoryKey(config.tag(), 0, 0, 0, 1),
        EpisodeStart.of(1),
        kit,
        Recorder.NONE);
  }

  private static AgentConfig config() {
    return new AgentConfig("hf", Map.of(), 0, 16, true, 30, 2048, AgentConfig.Side.LEFT);
  }

  private static Generation generation(int[] tokens) {
    double[] logProbs = new double[tokens.length];
    Arrays.fill(logProbs, -1);
    return new Generation(tokens, logProbs, logProbs.clone(), true, 3);
  }
}

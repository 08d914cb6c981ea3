package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvManagerConfig;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

/** Refusals before a rollout begins. */
@NullMarked
@Timeout(60)
class RolloutCheckTest {
  private static final String MESSAGES =
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}";

  private final CountingGame game = new CountingGame();
  private final RolloutService service = Games.service(game);

  @TempDir Path folder;

  @Test
  void wrongNamesAreRefusedInOneLine() {
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(1), 1);
    CharTokenizer tokenizer = CharTokenizer.chatMl();
    var good = Map.of("A", Games.game("A", Map.of()));
    service.check(envs, good, "chatml", tokenizer, 1000);
    assertEquals(
        "data_args.template: 'qwen25' is not a chat format (allowed: native, qwen2_5, chatml); did"
            + " you mean 'qwen2_5'?",
        userError(() -> service.check(envs, good, "qwen25", tokenizer, 1000)));
    assertEquals(
        "data_args.template: 'native': no folder: there is no such file or folder",
        userError(() -> service.check(envs, good, "native", tokenizer, 1000)));
    assertEquals(
        "data_args.template: 'qwen2_5' needs the tokens <|im_end|>, which the model's tokenizer"
            + " does not have",
        userError(
            () -> service.check(envs, good, "qwen2_5", new CharTokenizer("<|im_start|>"), 1000)));
    assertEquals(
        "tags: 'B' is not in custom_envs (allowed: A); did you mean 'A'?",
        userError(
            () ->
                service.check(
                    Games.envs(List.of("B"), List.of(1), 1), good, "chatml", tokenizer, 1000)));
    var lost = Map.of("A", Games.game("A", Map.of("targte", 1)));
    assertEquals(
        "custom_envs.A.env_config: unknown key 'targte' (allowed: target, restless, breaks_at,"
            + " pictures, broken_scale, special); did you mean 'target'?",
        userError(() -> service.check(envs, lost, "chatml", tokenizer, 1000)));
    RolloutService empty =
        new RolloutService(
            new NamedChatFormats(new FolderChatTemplates()), new InMemoryPluginRegistry());
    assertEquals(
        "custom_envs.A.env_manager_cls: no roll.env.manager 'trajectory' is registered (registered:"
            + " none)",
        userError(() -> empty.check(envs, good, "chatml", tokenizer, 1000)));
  }

  /** The first prompt is counted with what the chat format puts around it. */
  @Test
  void aPromptThatFillsTheContextIsRefused() {
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(1), 1);
    CharTokenizer tokenizer = CharTokenizer.chatMl();
    var games = Map.of("A", Games.game("A", Map.of()));
    int longest = 1;
    while (!fits(envs, games, tokenizer, longest)) {
      longest++;
    }
    assertTrue(longest > 30, "an opening of ChatML was counted");
    int full = longest - 1;
    assertEquals(
        "sequence_length: %d, and the first prompt of custom_envs.A fills it (%d tokens of it): no room is left for a response"
            .formatted(full, full),
        userError(() -> service.check(envs, games, "chatml", tokenizer, full)));
  }

  private boolean fits(
      EnvManagerConfig envs, Map<String, EnvConfig> games, CharTokenizer tokenizer, int length) {
    try {
      service.check(envs, games, "chatml", tokenizer, length);
      return true;
    } catch (UserException e) {
      return false;
    }
  }

  /** A tool that returns its argument. */
  private static final class Echo implements Tool {
    @Override
    public String description() {
      return "Says it again.";
    }

    @Override
    public ToolSet configure(Options options) {
      return ToolSet.of(
          ToolSchema.of("echo", description()), arguments -> ToolResult.of("" + arguments));
    }
  }

  /** Checks episodes with these tools, called as {@code type} has it. */
  private void check(LineCallAgent type, List<String> tools, String template) {
    Map<String, Map<String, Object>> given =
        tools.isEmpty() ? Map.of() : Map.of(tools.getFirst(), Map.of());
    AgentConfig agent = new AgentConfig("lines", given, 0, 9, true, 30, 99, Side.LEFT);
    EnvConfig plain = Games.game("A", Map.of());
    EnvConfig config =
        new EnvConfig(
            plain.tag(),
            plain.envType(),
            plain.manager(),
            plain.limits(),
            plain.prompts(),
            plain.options(),
            List.of(),
            agent);
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry()
            .with("roll.env", "counting", game)
            .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
            .with("roll.agent.type", "lines", type)
            .with("roll.tool", "echo", new Echo());
    new RolloutService(new NamedChatFormats(new FolderChatTemplates()), shelf)
        .check(
            Games.envs(List.of("A"), List.of(1), 1),
            Map.of("A", config),
            template,
            new CharTokenizer(folder, "<|im_start|>", "<|im_end|>", "<|endoftext|>"),
            1000);
    assertEquals(0, shelf.leased());
  }

  @Test
  void aFormatThatListsNoToolsIsRefusedWhereTheyHaveToBeListed() throws IOException {
    Path template = folder.resolve("chat_template.jinja");
    LineCallAgent lists = new LineCallAgent(true);
    assertEquals(
        "custom_envs.A.agent.agent_type: this chat format supports no tools (data_args.template:"
            + " native does, if the model folder's template does)",
        userError(() -> check(lists, List.of("echo"), "chatml")));
    Files.writeString(template, MESSAGES);
    assertEquals(
        "custom_envs.A.agent.agent_type: the chat template of the model folder supports no tools",
        userError(() -> check(lists, List.of("echo"), "native")));
    check(new LineCallAgent(), List.of("echo"), "chatml");
    check(new LineCallAgent(), List.of("echo"), "native");
    check(lists, List.of(), "chatml");
    Files.writeString(
        template, "{% for t in tools or [] %}{{ t.function.name }}{% endfor %}" + MESSAGES);
    check(lists, List.of("echo"), "native");
  }

  @Test
  void aTemplateThatDoesNotTellWhatToolsSayIsRefused() throws IOException {
    Path template = folder.resolve("chat_template.jinja");
    String where = "custom_envs.A.agent: the chat template ";
    Files.writeString(
        template,
        "{% for m in messages if m.role == 'tool' %}{{ raise_exception('no tools here') }}"
            + "{% endfor %}"
            + MESSAGES);
    String refused = userError(() -> check(new LineCallAgent(), List.of("echo"), "native"));
    assertTrue(refused.startsWith(where + "cannot render a tool result: "), refused);
    assertTrue(refused.contains("no tools here"), refused);
    check(new LineCallAgent(), List.of(), "native");
    Files.writeString(template, MESSAGES.replace("m.content", "m.content if m.role != 'tool'"));
    assertEquals(
        where + "omits tool results",
        userError(() -> check(new LineCallAgent(), List.of("echo"), "native")));
  }

  /** A world whose questions are written down. */
  private record Quiz(List<TaskInfo> questions) implements Environment, Scenario {
    @Override
    public String description() {
      return "Answer.";
    }

    @Override
    public Scenario configure(Options options) {
      return this;
    }

    @Override
    public String instruction() {
      return "";
    }

    @Override
    public Episode reset(long seed) {
      throw new AssertionError("nothing is played");
    }

    @Override
    public Stream<TaskInfo> tasks() {
      return questions.stream();
    }
  }

  /** A reward that compares with the known answer, or with none. */
  private record Graded(boolean compares) implements RewardFunction {
    @Override
    public String description() {
      return "Compares.";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(AnswerKey.OPTION);
    }

    @Override
    public Reward configure(Options options) {
      return (episode, models) -> Grade.of(true, null);
    }

    @Override
    public @Nullable AnswerKey answerKey(Options options) {
      return compares ? AnswerKey.of(options) : null;
    }
  }

  private static void check(Graded reward, TaskInfo... questions) {
    EnvConfig config =
        new EnvConfig(
            "Q",
            "quiz",
            "trajectory",
            EnvLimits.steps(1),
            PromptConfig.of("{observation}"),
            Map.of(),
            List.of(new RewardConfig("graded", 1, Map.of("answer_key", "gold"))),
            null);
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry()
            .with("roll.env", "quiz", new Quiz(List.of(questions)))
            .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
            .with("roll.reward", "graded", reward);
    new RolloutService(new NamedChatFormats(new FolderChatTemplates()), shelf)
        .check(
            Games.envs(List.of("Q"), List.of(1), 1),
            Map.of("Q", config),
            "chatml",
            CharTokenizer.chatMl(),
            1000);
    assertEquals(0, shelf.leased());
  }

  @Test
  void aQuestionWithoutAnAnswerIsRefusedWhereARewardGradesByIt() {
    TaskInfo good = new TaskInfo("q.jsonl:1", Map.of("question", "?", "gold", "4"));
    TaskInfo bad = new TaskInfo("q.jsonl:2", Map.of("answer", "4"));
    check(new Graded(true), good);
    check(new Graded(false), good, bad);
    assertEquals(
        "q.jsonl:2: no answer that custom_envs.Q.rewards.graded could grade by: expected a text, a"
            + " number, true, false or a list of them as gold (it has: answer);"
            + " custom_envs.Q.rewards.graded.answer_key names another field",
        userError(() -> check(new Graded(true), good, bad)));
    String three = userError(() -> check(new Graded(true), bad, good, bad, bad));
    assertTrue(three.startsWith("q.jsonl:2: ") && three.endsWith(" (and 2 more)"), three);
  }
}

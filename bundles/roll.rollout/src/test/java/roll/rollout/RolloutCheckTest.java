package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.config.EnvConfig;
import roll.api.config.EnvManagerConfig;
import roll.api.config.Options;
import roll.api.config.PromptLimit;
import roll.api.config.UserException;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;
import roll.template.FolderChatTemplates;
import roll.testkit.Shelf;

/** What is told before anything is played. */
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
    service.check(envs, good, "chatml", tokenizer);
    assertEquals(
        "data_args.template: 'qwen25' is no chat format (allowed: native, qwen2_5, chatml); did you"
            + " mean 'qwen2_5'?",
        refused(() -> service.check(envs, good, "qwen25", tokenizer)));
    assertEquals(
        "data_args.template: 'native': no folder: there is no such file or folder",
        refused(() -> service.check(envs, good, "native", tokenizer)));
    assertEquals(
        "data_args.template: 'qwen2_5' needs the tokens <|im_end|>, which the model's tokenizer"
            + " does not have",
        refused(() -> service.check(envs, good, "qwen2_5", new CharTokenizer("<|im_start|>"))));
    assertEquals(
        "tags: 'B' is not in custom_envs (allowed: A); did you mean 'A'?",
        refused(
            () ->
                service.check(Games.envs(List.of("B"), List.of(1), 1), good, "chatml", tokenizer)));
    var lost = Map.of("A", Games.game("A", Map.of("targte", 1)));
    assertEquals(
        "custom_envs.A.env_config: unknown key 'targte' (allowed: target, restless, breaks_at,"
            + " pictures, broken_scale); did you mean 'target'?",
        refused(() -> service.check(envs, lost, "chatml", tokenizer)));
    RolloutService empty =
        new RolloutService(new NamedChatFormats(new FolderChatTemplates()), new Shelf());
    assertEquals(
        "custom_envs.A.env_manager_cls: no roll.env.manager 'trajectory' is registered (registered:"
            + " none)",
        refused(() -> empty.check(envs, good, "chatml", tokenizer)));
  }

  /** A tool that says what it is told. */
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
  private void check(Lines type, List<String> tools, String template) {
    Map<String, Map<String, Object>> given =
        tools.isEmpty() ? Map.of() : Map.of(tools.getFirst(), Map.of());
    AgentConfig agent = new AgentConfig("lines", given, 0, 9, true, 30, 99, Side.LEFT);
    EnvConfig plain = Games.game("A", Map.of());
    EnvConfig config =
        new EnvConfig(
            plain.tag(),
            plain.envType(),
            plain.manager(),
            plain.maxSteps(),
            plain.maxTokensPerStep(),
            plain.historyLength(),
            plain.maxStepConcurrent(),
            plain.systemTemplate(),
            plain.template(),
            plain.options(),
            List.of(),
            PromptLimit.NONE,
            agent);
    Shelf shelf =
        new Shelf()
            .with("roll.env", "counting", game)
            .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
            .with("roll.agent.type", "lines", type)
            .with("roll.tool", "echo", new Echo());
    new RolloutService(new NamedChatFormats(new FolderChatTemplates()), shelf)
        .check(
            Games.envs(List.of("A"), List.of(1), 1),
            Map.of("A", config),
            template,
            new CharTokenizer(folder, "<|im_start|>", "<|im_end|>", "<|endoftext|>"));
    assertEquals(0, shelf.leased());
  }

  @Test
  void aFormatThatListsNoToolsIsRefusedWhereTheyHaveToBeListed() throws IOException {
    Path template = folder.resolve("chat_template.jinja");
    Lines lists = new Lines(true);
    assertEquals(
        "custom_envs.A.agent.agent_type: this chat format lists no tools (data_args.template:"
            + " native does, where the model folder's template does)",
        refused(() -> check(lists, List.of("echo"), "chatml")));
    Files.writeString(template, MESSAGES);
    assertEquals(
        "custom_envs.A.agent.agent_type: the chat template of the model folder lists no tools",
        refused(() -> check(lists, List.of("echo"), "native")));
    check(new Lines(), List.of("echo"), "chatml");
    check(new Lines(), List.of("echo"), "native");
    check(lists, List.of(), "chatml");
    Files.writeString(
        template, "{% for t in tools or [] %}{{ t.function.name }}{% endfor %}" + MESSAGES);
    check(lists, List.of("echo"), "native");
  }

  private static String refused(Runnable check) {
    return String.valueOf(assertThrows(UserException.class, check::run).getMessage());
  }
}

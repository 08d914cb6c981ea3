package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentRunnerConfig;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.config.YamlConfigLoader;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.testkit.NodePackages;

/** Command-line agents of others play, unchanged, with a scripted policy. */
@Tag("processes")
@NullMarked
@Timeout(600)
class PresetsTest {
  /** The output of the scripted command. */
  private static final String PRINTED = "forty-two: 42";

  private static final String COMMAND = "echo forty-two: $((6*7))";
  private static final int LENGTH = 1 << 20;

  @TempDir Path folder;

  /** Calls a tool until its result is in the prompt. */
  private record Script(String call) implements Generator {
    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      return CompletableFuture.completedFuture(
          requests.stream()
              .map(request -> ChatKit.TOKENIZER.decode(request.prompt(), false))
              .map(prompt -> ChatKit.drawn(prompt.contains(PRINTED) ? "+" : call))
              .toList());
    }
  }

  private static AgentRunnerConfig runner(String preset, Path programs) {
    String agent =
        "{preset: %s, timeout: 120, environment: {PATH: \"%s:%s\"}}"
            .formatted(preset, programs, System.getenv("PATH"));
    return Objects.requireNonNull(
        Objects.requireNonNull(
                new YamlConfigLoader()
                    .loadForRollout(
                        Path.of(""),
                        List.of(
                            "custom_envs.A={env_type: counting, max_steps: 8, agent_runner: "
                                + agent
                                + "}",
                            "train_env_manager={tags: [A], num_env_groups: 1, group_size: 1}"))
                    .run()
                    .rollout()
                    .customEnvs()
                    .get("A"))
            .runner());
  }

  private static RolloutResult play(
      ProgramKit kit, AgentRunnerConfig runner, Tokenizer tokenizer, String call) {
    EnvManagerConfig manager =
        new EnvManagerConfig(List.of("A"), List.of(1), 1, 0, "none", Sampling.of(1000));
    return kit.service
        .play(
            new RolloutRequest(
                "train",
                42,
                0,
                1,
                new RolloutEnvs(
                    manager,
                    Map.of("A", ProgramKit.env(runner)),
                    new EnvMonitorConfig(300, 1, 1),
                    Set.of()),
                new PolicyModel("native", tokenizer, new Script(call), LENGTH),
                Map.of(),
                0))
        .join();
  }

  private void plays(String preset, Path programs, String call) throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      RolloutResult result = play(kit, runner(preset, programs), ChatKit.tokenizer(folder), call);
      assertEquals(List.of(), result.faults());
      Trajectory played = result.trajectories().getFirst();
      assertTrue(
          played.messages().stream().anyMatch(said -> said.content().contains(PRINTED)),
          played.messages().toString());
      assertEquals("+", played.messages().getLast().content().replace("<|im_end|>", ""));
      assertEquals(1.0, played.metrics().get("ups"));
      assertEquals(1, played.sequences().size());
      Sequence sample = played.sequences().getFirst();
      assertEquals(List.of("0:" + call + "<|im_end|>", "1:+<|im_end|>"), ChatKit.trained(sample));
    }
  }

  private static String call(String tool, String arguments) {
    return "<tool_call>\n{\"name\": \"%s\", \"arguments\": %s}\n</tool_call>"
        .formatted(tool, arguments);
  }

  @Test
  void qwenCodePlays() throws Exception {
    NodePackages packages = NodePackages.install(folder, "@qwen-code/qwen-code@0.15.10");
    plays(
        "qwen_code",
        packages.file(".bin"),
        call(
            "run_shell_command",
            "{\"command\": \"%s\", \"is_background\": false}".formatted(COMMAND)));
  }

  @Test
  void codexPlays() throws Exception {
    NodePackages packages = NodePackages.install(folder, "@openai/codex@0.171.0");
    plays(
        "codex",
        packages.file(".bin"),
        call("exec_command", "{\"cmd\": \"%s\"}".formatted(COMMAND)));
  }

  @Test
  void opencodePlays() throws Exception {
    NodePackages packages = NodePackages.install(folder, "opencode-ai@1.18.33");
    try (Stream<Path> programs = Files.walk(packages.file(""))) {
      Path program =
          programs
              .filter(file -> file.endsWith("bin/opencode") && Files.isExecutable(file))
              .findFirst()
              .orElseThrow();
      plays(
          "opencode",
          Objects.requireNonNull(program.getParent()),
          call("bash", "{\"command\": \"%s\", \"description\": \"adds\"}".formatted(COMMAND)));
    }
  }
}

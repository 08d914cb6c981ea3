package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.ConfigLoader;
import roll.runtime.pipeline.SftRun;
import roll.runtime.pipeline.SftRunner;
import roll.runtime.pipeline.Trainer;

/** An agent of TRL's with a function and an environment in Python as tools is trained. */
@Tag("framework")
@Timeout(240)
class TrlAgentTest {
  /** The second call raises. */
  private static final String ROW =
      """
      {"messages": [{"role": "system", "content": "tools: addtools: up"}, \
      {"role": "user", "content": "go!"}, \
      {"role": "assistant", "content": "<tool_call>{\\"name\\": \\"up\\", \\"arguments\\": {\\"by\\": 2}}</tool_call>\
      <tool_call>{\\"name\\": \\"add\\", \\"arguments\\": {\\"a\\": 1, \\"b\\": 0}}</tool_call>"}, \
      {"role": "tool", "content": "now 3"}, {"role": "tool", "content": "{'error': 'b is 0'}"}, \
      {"role": "assistant", "content": "ok"}]}
      """;

  private static final String TOOLS =
      """
      def add(a: int, b: int) -> int:
          '''Adds.

          Args:
              a: The first.
              b: The second.
          '''
          if b == 0:
              raise ValueError('b is 0')
          return a + b

      class Counter:
          def reset(self, start, **kwargs):
              self.count = start
              return '!'

          def up(self, by: int) -> str:
              '''Counts.

              Args:
                  by: The step.
              '''
              self.count += by
              return f'now {self.count}'

          def _gained(self, start):
              return self.count - start

          def get_reward(self):
              return self.count / 10

      def gained(completions, environments, start, **kwargs):
          calls = completions[0][0].get('tool_calls', [])
          return [environments[0]._gained(start[0]) + len(calls) / 4 + len(completions[0]) / 8]
      """;

  private static final String COMMON =
      """
      output_dir: out/trl
      bf16: false
      num_processes: 1
      """;

  private final Path folder;

  TrlAgentTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void write() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
    Files.writeString(folder.resolve("demonstrations.jsonl"), ROW.repeat(8));
    String prompt = "{\"prompt\": [{\"role\": \"user\", \"content\": \"go\"}], \"start\": 1}\n";
    Files.writeString(folder.resolve("prompts.jsonl"), prompt.repeat(4));
    Files.writeString(folder.resolve("tools.py"), TOOLS);
    Files.createSymbolicLink(
        folder.resolve("arithmetic-tiny"), SmallRuns.config("models/arithmetic-tiny"));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("run.yaml"), COMMON + text);
  }

  private List<String> output(String name) {
    return List.of("output_dir=" + folder.resolve("out").resolve(name));
  }

  /** Returns a model that knows the calls by heart. */
  private Path model() throws Exception {
    String text =
        """
        trl: sft
        model_name_or_path: arithmetic-tiny
        random_weights: true
        dataset_name: demonstrations.jsonl
        assistant_only_loss: true
        max_length: 512
        learning_rate: 1.0e-3
        lr_scheduler_type: constant
        max_steps: 60
        """;
    SftRun run = SmallRuns.service(SftRunner.class).start(file(text), output("sft"));
    run.outcome().get();
    return run.folder().resolve("checkpoint-60");
  }

  @Test
  void toolsArePlayedAndGraded() throws Exception {
    Path file =
        file(
            "model_name_or_path: "
                + model()
                + """

                dataset_name: prompts.jsonl
                tools: ['tools.py:add']
                environment_factory: tools.py:Counter
                reward_funcs: ['tools.py:gained']
                max_tool_calling_iterations: 2
                num_generations: 4
                max_completion_length: 200
                vllm_max_model_length: 400
                scale_rewards: group
                max_steps: 2
                """);
    Path run =
        SmallRuns.finish(
            SmallRuns.service(Trainer.class)
                .start(SmallRuns.service(ConfigLoader.class).loadAsWritten(file, output("grpo"))));
    List<String> metrics = Files.readAllLines(run.resolve("metrics.jsonl"));
    assertEquals(2, metrics.stream().filter(line -> line.contains("actor/pg_loss")).count());
    List<String> episodes = Files.readAllLines(run.resolve("trajectories/step-0.jsonl"));
    assertEquals(8, episodes.size());
    String played =
        episodes.stream().filter(line -> line.contains("now 3")).findFirst().orElseThrow();
    for (String part :
        List.of(
            "{\"role\":\"tool\",\"content\":\"{'error': 'b is 0'}\",\"tool\":\"add\"}",
            "\"tool_calls/failed\":1.0",
            "\"reward/Counter\":0.3",
            "\"reward/python/gained\":3.0", // 2, of 2 calls and 4 messages
            "\"score\":3.3")) {
      assertTrue(played.contains(part), () -> part + " in " + played);
    }
  }
}

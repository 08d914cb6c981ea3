package roll.shell.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.felix.framework.FrameworkFactory;
import org.apache.felix.service.command.CommandSession;
import org.jline.builtins.Completers.Completer;
import org.jline.builtins.Completers.CompletionData;
import org.jline.builtins.Completers.CompletionEnvironment;
import org.jline.reader.Candidate;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.Gogo;
import roll.shell.NotingRun;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;

/** Completion by JLine's completer on a real Gogo session and a real registry. */
@Tag("framework")
class CompletionTest {
  private static final Set<String> NO_COMMANDS =
      Set.of(
          "AlgorithmCommand.java",
          "Command.java",
          "ConfigCommand.java",
          "RollCommand.java",
          "SupervisedCommand.java",
          "TypedCommand.java",
          "UnknownCommand.java");

  @TempDir Path folder;
  private Framework framework;
  private Gogo gogo;
  private Terminal terminal;
  private LineReader reader;
  private Completer completer;

  @BeforeEach
  void start() throws Exception {
    framework =
        new FrameworkFactory()
            .newFramework(
                Map.of("org.osgi.framework.storage", folder.resolve("storage").toString()));
    framework.start();
    register("roll.env", "frozen_lake", "sokoban");
    register("roll.estimator", "grpo", "gae");
    register("roll.loss", "ppo");
    register("roll.agent", "random", "scripted");
    register("roll.reward", "gsm8k");
    register("roll.grader", "string");
    gogo = new Gogo(new Completion(framework.getBundleContext(), new Keys(), new OneRun()), "_c");
    CommandSession session = gogo.session();
    session.currentDir(folder);
    session.put(
        "_complete", new Completion(framework.getBundleContext(), new Keys(), new OneRun()));
    Map<String, List<CompletionData>> completions = new HashMap<>();
    session.put(".completions", completions);
    terminal = new DumbTerminal(new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream());
    reader = LineReaderBuilder.builder().terminal(terminal).build();
    for (Command command : BundleCommands.all()) {
      register(command, command.syntax().name());
    }
    completions.put("other:paint", List.of(new CompletionData(null, null, "[blue]", null)));
    new Completion(framework.getBundleContext(), null, null).execute(session, List.of("install"));
    completer = new Completer(new Shell(session));
  }

  @AfterEach
  void stop() throws Exception {
    terminal.close();
    gogo.close();
    framework.stop();
    framework.waitForStop(0);
  }

  private void register(String kind, String... ids) {
    BundleContext context = framework.getBundleContext();
    context.registerService(
        Runnable.class, () -> {}, FrameworkUtil.asDictionary(Map.of(kind, ids)));
  }

  private ServiceRegistration<?> register(Command command, String name) {
    return framework
        .getBundleContext()
        .registerService(
            Command.class,
            command,
            FrameworkUtil.asDictionary(
                Map.of("osgi.command.scope", "roll", "osgi.command.function", name)));
  }

  /** Returns the candidates for the last word of {@code line}; incomplete ones end with …. */
  private List<String> tab(String line) {
    ParsedLine parsed = reader.getParser().parse(line, line.length(), ParseContext.COMPLETE);
    List<Candidate> found = new ArrayList<>();
    completer.complete(reader, parsed, found);
    return found.stream()
        .filter(candidate -> candidate.value().startsWith(parsed.word()))
        .map(candidate -> candidate.value() + (candidate.complete() ? "" : "…"))
        .sorted()
        .toList();
  }

  @Test
  void everyCommandOfThisBundleHasOne() throws Exception {
    List<String> sources;
    try (var files =
        Files.walk(
            Path.of(
                System.getProperty("roll.root"), "bundles/roll.shell/src/main/java/roll/shell"))) {
      sources =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Command.java"))
              .filter(name -> !NO_COMMANDS.contains(name))
              .map(name -> name.replace("Command.java", "").toLowerCase(Locale.ROOT))
              .sorted()
              .toList();
    }
    assertEquals(sources, tab("help "));
    for (String command : sources) {
      assertTrue(tab("roll:" + command + " --").contains("--help"), command);
    }
  }

  /** Commands of any bundle are completed while it is installed. */
  @Test
  void aCommandOfAPlugin() {
    assertEquals(List.of(), tab("paint "));
    ServiceRegistration<?> paint = register(new PaintCommand(), "paint");
    assertEquals(List.of("blue", "red"), tab("paint "));
    assertEquals(List.of("random"), tab("roll:paint red --agent r"));
    assertEquals(List.of("--agent", "--help"), tab("paint red --"));
    assertEquals(List.of("blue"), tab("other:paint b"), "told to the shell itself");
    paint.unregister();
    assertEquals(List.of(), tab("paint "));
  }

  @Test
  void theFolderOfASweep() throws IOException {
    Files.createDirectories(folder.resolve("output/lake-sweep"));
    assertEquals(List.of("output/…"), tab("sweep show o"));
    assertEquals(List.of("output/lake-sweep/…"), tab("sweep show output/l"));
  }

  @Test
  void subCommandsAndIds() {
    assertEquals(List.of("list", "play", "show"), tab("env "));
    assertEquals(List.of("frozen_lake", "sokoban"), tab("env show "));
    assertEquals(List.of("sokoban"), tab("roll:env play so"));
    assertEquals(List.of("gae", "grpo"), tab("estimator try g"));
    assertEquals(List.of("ppo"), tab("loss show "));
    assertEquals(List.of("gsm8k", "string"), tab("grade "));
    assertEquals(List.of("merge", "show"), tab("model "));
    assertEquals(List.of("roll.env", "roll.env.manager", "roll.estimator"), tab("services roll.e"));
    assertEquals(List.of("tool", "tracker"), tab("new t"));
    assertEquals(List.of("7"), tab("pause "));
    assertEquals(List.of(), tab("pause 7 "));
  }

  @Test
  void swapsKnowTheirKindsAndTheirPlugins() {
    assertEquals(List.of("environment", "estimator"), tab("swap e"));
    assertEquals(List.of("gae", "grpo"), tab("swap estimator "));
    assertEquals(List.of("gae"), tab("swap estimator grpo ga"));
    assertEquals(List.of("7"), tab("swap estimator grpo gae --run "));
    assertEquals(List.of("gae"), tab("swap --run 7 estimator grpo ga"));
  }

  @Test
  void optionsAndTheirValues() {
    assertEquals(List.of("--agent", "--episodes", "--help", "--val"), tab("rollout a.yaml --"));
    assertEquals(List.of("policy", "random", "scripted"), tab("rollout a.yaml --agent "));
    assertEquals(List.of("bf16", "fp32"), tab("serve m --dtype "));
  }

  @Test
  void keysOfAConfigurationPartByPart() {
    assertEquals(List.of("actor_train.…", "adv_estimator=…"), tab("train a.yaml a"));
    assertEquals(
        List.of("actor_train.strategy_args.strategy_name=…"),
        tab("train a.yaml actor_train.strategy_args."));
    assertEquals(List.of("custom_envs.Lake.env_type=…"), tab("train a.yaml custom_envs.Lake."));
    assertEquals(
        List.of("adv_estimator=gae", "adv_estimator=grpo"), tab("check a.yaml adv_estimator="));
    assertEquals(List.of("max_steps=…"), tab("train max"));
  }

  @Test
  void filesThatFit() throws IOException {
    Files.createDirectories(folder.resolve("configs/models"));
    for (String name : List.of("a.yaml", "b.txt", ".hidden.yaml", "rows.jsonl", "p.jar")) {
      Files.writeString(folder.resolve("configs/" + name), "");
    }
    assertEquals(List.of("configs/…"), tab("train con"));
    assertEquals(List.of("configs/a.yaml", "configs/models/…"), tab("train configs/"));
    assertEquals(List.of("configs/models/…", "configs/rows.jsonl"), tab("grade gsm8k configs/"));
    assertEquals(List.of("configs/models/…", "configs/p.jar"), tab("deploy configs/"));
    assertEquals(List.of("configs/models/…"), tab("generate configs/"));
    assertEquals(
        List.of("pretrain=configs/models/…"), tab("train configs/a.yaml pretrain=configs/m"));
    assertEquals(List.of(), tab("train nowhere/"));
  }

  /** A command of another bundle. */
  private static final class PaintCommand extends Command {
    PaintCommand() {
      super(
          new Syntax(
              "paint",
              "Paints.",
              List.of(Word.one("red|blue", "the color")),
              List.of(Option.optional("--agent", "id", "who paints"))));
    }

    @Override
    protected String run(CommandSession session, Arguments given) {
      throw new AssertionError("nothing is run to complete a word");
    }
  }

  /** The completion environment of Gogo's shell. */
  private record Shell(CommandSession session) implements CompletionEnvironment {
    @Override
    @SuppressWarnings("unchecked") // as Gogo's shell does
    public Map<String, List<CompletionData>> getCompletions() {
      return (Map<String, List<CompletionData>>) session.get(".completions");
    }

    @Override
    public Set<String> getCommands() {
      return Set.of();
    }

    @Override
    public String resolveCommand(String command) {
      return command.contains(":") ? command : "roll:" + command;
    }

    @Override
    public String commandName(String command) {
      return command.substring(command.indexOf(':') + 1);
    }

    @Override
    public Object evaluate(LineReader reader, ParsedLine line, String function) throws Exception {
      session.put(".commandLine", line);
      return session.execute(function.replace("shell:", ""));
    }
  }

  private static final class Keys implements ConfigLoader {
    @Override
    public LoadedConfig load(Path file, List<String> overrides) {
      throw new AssertionError("nothing is loaded to complete a word");
    }

    @Override
    public List<String> keys() {
      return List.of(
          "max_steps",
          "adv_estimator",
          "pretrain",
          "actor_train.strategy_args.strategy_name",
          "custom_envs.*.env_type");
    }
  }

  private static final class OneRun implements Trainer {
    @Override
    public List<String> check(LoadedConfig config) {
      return List.of();
    }

    @Override
    public TrainingRun start(LoadedConfig config) {
      throw new AssertionError("nothing is started");
    }

    @Override
    public List<TrainingRun> runs() {
      return List.of(new NotingRun(7, new ArrayList<>(), new CompletableFuture<>()));
    }
  }
}

package roll.shell.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.felix.service.command.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.api.option.UserException;
import roll.decoder.ModelFacts;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ModelServer;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;
import roll.shell.Brackets;
import roll.shell.Characters;
import roll.shell.Gogo;
import roll.shell.Repeating;
import roll.shell.http.ComponentKeepAlive;
import roll.testkit.InMemoryPluginRegistry;

/** {@code serve} with a server that records its arguments. */
@Timeout(60)
class ServeCommandTest {
  @TempDir Path folder;

  private final Repeating model = new Repeating();
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry().with("roll.strategy", "vllm", model);
  private final List<ServedModel> models = new ArrayList<>();
  private final List<ListenSettings> places = new ArrayList<>();
  private final List<Integer> closed = new ArrayList<>();

  private final ModelServer server =
      (served, place) -> {
        models.add(served);
        places.add(place);
        return new Serving() {
          @Override
          public InetSocketAddress address() {
            return new InetSocketAddress(place.host(), place.port());
          }

          @Override
          public void close() {
            closed.add(place.port());
          }
        };
      };

  private final RunningServers folders =
      new RunningServers(
          new ServingServices(
              server,
              place -> new Characters(),
              place -> new ModelFacts(spec(), new TreeMap<>(), 0),
              (place, clock) -> (where, context) -> clock.instant() + " " + context,
              null,
              (name, tokenizer, variables) -> new Brackets(variables),
              shelf),
          ComponentKeepAlive.NONE);

  private final ServeCommand command = new ServeCommand(folders, null);

  private static DecoderSpec spec() {
    return new DecoderSpec(
        "qwen2",
        144,
        8,
        16,
        1,
        new Attention(2, 2, 4),
        Rope.standard(1e4, 4),
        512,
        1e-6,
        Set.of(),
        0.02);
  }

  private String run(String... arguments) {
    try (Gogo gogo = new Gogo(command, "serve")) {
      String shown = gogo.call(command, arguments);
      return gogo.printed() + (shown == null ? "" : shown);
    }
  }

  private String complaint(String... arguments) {
    return assertThrows(UserException.class, () -> run(arguments)).getMessage();
  }

  @Test
  void whatIsServedIsListedAndStopped() throws Exception {
    assertEquals("no server is running; see serve --help", run());
    String line = folder.getFileName() + " at http://127.0.0.1:8000/v1";
    assertEquals(line, run(folder.toString(), "--background"));
    String second = run(folder.toString(), "--background", "--port=81", "--served-model-name=m");
    assertEquals("m at http://127.0.0.1:81/v1", second);
    assertEquals(second + "\n" + line, run());
    assertEquals(2, shelf.leased());
    assertEquals("stopped " + line, run("--stop", "8000"));
    assertEquals(second, run());
    assertEquals("serve: no server is running on port 8000", complaint("--stop", "8000"));
    folders.close();
    assertEquals(List.of(8000, 81), closed);
    assertEquals(0, shelf.leased());
  }

  @Test
  void whereAndForWhomIsHeard() {
    String line =
        run(
            (folder
                    + " --background --allowed-hosts a.b,c --tls-cert c.pem --tls-key k.pem"
                    + " --max-requests 9 --max-requests-per-client 2 --max-connections 7"
                    + " --max-connections-per-client 5 --request-timeout 3")
                .split(" ", -1));
    assertTrue(line.contains(" at https://127.0.0.1:8000/v1"), line);
    ListenSettings place = places.getFirst();
    assertEquals(List.of("a.b", "c"), place.names());
    assertEquals(
        new ListenSettings.Certificate(Path.of("c.pem"), Path.of("k.pem")), place.certificate());
    assertEquals(new ClientLimits(9, 2, 7, 5, Duration.ofSeconds(3)), place.limits());
    String half = complaint(folder.toString(), "--tls-cert", "c.pem");
    assertTrue(half.startsWith("serve: --tls-cert and --tls-key must be given together; "), half);
    String open = run(folder.toString(), "--background", "--host", "0.0.0.0", "--api-key", "k");
    assertTrue(open.startsWith("notice: without --tls-cert requests, responses and the key"), open);
  }

  /** Gogo shows no result of what it does not wait for. */
  @Test
  void behindAnAmpersandTheAddressIsPrinted() throws Exception {
    try (Gogo gogo = new Gogo(command, "serve")) {
      CountDownLatch done = new CountDownLatch(1);
      gogo.session()
          .setJobListener(
              (job, before, now) -> {
                if (now == Job.Status.Done) {
                  done.countDown();
                }
              });
      gogo.session().execute("serve '" + folder + "' &");
      assertTrue(done.await(30, TimeUnit.SECONDS));
      assertEquals(
          folder.getFileName() + " at http://127.0.0.1:8000/v1\n",
          gogo.printed().replaceAll("(?m)^\\[.*\\n", ""));
    }
  }

  /** The process that runs one command ends with it, and with that process whatever is served. */
  @Test
  void aSingleCommandHasNoBackground() {
    try (Gogo gogo = new Gogo(command, "serve")) {
      gogo.session().put("roll.once", true);
      String refusal =
          assertThrows(
                  UserException.class, () -> gogo.call(command, folder.toString(), "--background"))
              .getMessage();
      assertTrue(refusal.startsWith("serve: --background works only in the shell that"), refusal);
      assertEquals(List.of(), models);
    }
  }

  @Test
  void everyOptionIsHeard() {
    run(
        (folder
                + " --host 127.0.0.2 --api-key k --max-model-len 99 --dtype bf16"
                + " --tool-call-parser none --max-requests 3 --seed 5 --background"
                + " --default-chat-template-kwargs {\"enable_thinking\":true}")
            .split(" ", -1));
    ServedModel served = models.getFirst();
    assertEquals(99, served.longest());
    assertFalse(served.toolCalls());
    assertEquals(Map.of("enable_thinking", true), served.chatTemplateKwargs());
    assertEquals(List.of(Characters.END, 0), served.stops());
    assertEquals("127.0.0.2:8000", places.getFirst().toString());
    assertEquals("k", places.getFirst().key());
    assertEquals(3, places.getFirst().limits().requests());
    var opened = model.opened.getFirst();
    assertEquals(5, opened.seed());
    assertEquals(99, opened.sequenceLength());
    assertEquals(Dtype.BF16, opened.worker().model().dtype());
    assertEquals(Map.of(), opened.worker().strategyOptions().values());
    run(folder.toString(), "--background", "--template", "none", "--port", "1");
    assertEquals(null, models.getLast().template());
    assertEquals(512, models.getLast().longest());
    assertEquals(Map.of("enable_thinking", false), models.getLast().chatTemplateKwargs());
    folders.close();
  }

  @Test
  void anInterruptEndsIt() {
    try (Gogo gogo = new Gogo(command, "serve")) {
      Thread.currentThread().interrupt(); // found by the wait for the end
      gogo.call(command, folder.toString());
      assertEquals(130, gogo.session().get("exit"));
      assertTrue(gogo.printed().endsWith(":8000/v1; Ctrl-C ends" + System.lineSeparator()));
    }
    assertEquals(List.of(8000), closed);
    assertEquals(0, shelf.leased());
  }

  @Test
  void itEndsWhenItsEngineGoes() throws Exception {
    Thread going =
        Thread.startVirtualThread(
            () -> {
              while (models.isEmpty()) {
                Thread.onSpinWait();
              }
              shelf.with("roll.strategy", "vllm", new Repeating());
            });
    assertTrue(run(folder.toString()).contains("server stopped: its strategy is being replaced"));
    going.join();
    assertEquals(List.of(8000), closed);
  }

  @Test
  void mistakesAreOneLine() throws Exception {
    String there = folder.toString();
    assertEquals("serve: no folder 'nowhere'", complaint("nowhere"));
    assertTrue(complaint(there, "max_num_seqs=7").contains("unknown key 'max_num_seqs'"));
    assertEquals(
        "serve: --strategy: no roll.strategy 'vlm' is registered (registered: vllm); did you mean"
            + " 'vllm'?",
        complaint(there, "--strategy", "vlm"));
    assertEquals(
        "serve: --max-model-len: 513 is more than the model supports: 512",
        complaint(there, "--max-model-len", "513"));
    assertEquals(
        "serve: --template: expected native, none or a Jinja file, found 'x'",
        complaint(there, "--template", "x"));
    assertTrue(complaint(there, "--dtype", "fp8").startsWith("serve: --dtype: expected fp32 or"));
    assertTrue(
        complaint(there, "--port", "70000").startsWith("serve: --port: expected an integer"));
    assertTrue(
        complaint(there, "--max-model-len=4", "--sequence-length=4")
            .contains("are the same option"));
    assertTrue(complaint(there, "word").contains("expected key=value"));
    assertEquals(0, shelf.leased());
    Path file = Files.writeString(folder.resolve("t.jinja"), "x");
    run(there, "--background", "--template", file.toString());
    assertEquals(List.of(0), models.getLast().stops());
    folders.close();
  }
}

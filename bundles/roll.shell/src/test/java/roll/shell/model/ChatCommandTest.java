package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.shell.Brackets;
import roll.shell.Characters;
import roll.shell.Gogo;
import roll.shell.Repeating;

/** {@code chat} with a tokenizer of one token per character and a model that repeats. */
class ChatCommandTest {
  @TempDir Path folder;
  private final Repeating model = new Repeating();
  private final ChatCommand command =
      new ChatCommand(new LocalModels(place -> new Characters(), Brackets::find, model), null);

  /** Returns the output for {@code input}. */
  private String chat(String input, String... options) throws IOException {
    try (Gogo gogo = new Gogo(command, "chat", input)) {
      gogo.call(command, arguments(options));
      return gogo.printed().replace(System.lineSeparator(), "\n");
    }
  }

  private void chatIn(String template) throws Exception {
    try (Gogo gogo = new Gogo(command, "chat", "a\n")) {
      gogo.call(command, folder.toString(), "--template", template);
    }
  }

  private String[] arguments(String... options) {
    String[] all = new String[options.length + 3];
    all[0] = folder.toString();
    all[1] = "--template";
    all[2] = "brackets";
    System.arraycopy(options, 0, all, 3, options.length);
    return all;
  }

  private static String text(GenerationRequest request) {
    return new String(request.prompt(), 0, request.prompt().length);
  }

  @Test
  void everyTurnContinuesWhatWasSaid() throws IOException {
    String first = "[user:a]";
    String second = first + first + "|[user:b]";
    assertEquals(first + "\n" + second + "\n", chat("a\n\nb\n"));
    assertEquals(List.of(first, second), model.asked.stream().map(r -> text(r)).toList());
    GenerationRequest request = model.asked.getFirst();
    assertEquals(Sampling.of(512).withTemperature(0.7).withTopP(0.9), request.sampling());
    assertEquals(List.of(Characters.END, 0), request.stopTokens());
    assertNotEquals(request.seed(), model.asked.getLast().seed());
  }

  @Test
  void resetForgetsAndExitEnds() throws IOException {
    chat("a\n/reset\nb\n/exit\nc\n", "--system", "S");
    assertEquals(
        List.of("[system:S][user:a]", "[system:S][user:b]"),
        model.asked.stream().map(r -> text(r)).toList());
    assertEquals(model.asked.getFirst().seed(), model.asked.getLast().seed());
  }

  @Test
  void optionsAreHeard() throws IOException {
    chat(
        "a\n",
        "--temperature=0",
        "--top-k=3",
        "--top-p=1",
        "--max-new-tokens=7",
        "--chat-template-kwargs={\"enable_thinking\": true}");
    assertEquals(Sampling.greedy(7).withTopK(3), model.asked.getFirst().sampling());
    assertEquals("[user:a]{enable_thinking=true}", text(model.asked.getFirst()));
  }

  @Test
  void onATerminalLinesAreEdited() throws IOException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    byte[] typed = "hx\u007fi!\r/exit\r".getBytes(StandardCharsets.UTF_8);
    try (Terminal terminal =
            new DumbTerminal(
                "test", "ansi", new ByteArrayInputStream(typed), shown, StandardCharsets.UTF_8);
        Gogo gogo = new Gogo(command, "chat")) {
      gogo.session().put(".terminal", terminal);
      gogo.call(command, arguments());
    }
    assertEquals(List.of("[user:hi!]"), model.asked.stream().map(r -> text(r)).toList());
    String screen = shown.toString(StandardCharsets.UTF_8);
    assertTrue(screen.contains("/reset restarts the conversation") && screen.contains(">"), screen);
  }

  @Test
  void anInterruptEndsTheTalk() throws IOException {
    model.answer = new CompletableFuture<>();
    try (Gogo gogo = new Gogo(command, "chat", "a\nb\n")) {
      Thread.currentThread().interrupt(); // found by the wait for the answer
      gogo.call(command, arguments());
      assertEquals(130, gogo.session().get("exit"));
      assertEquals(1, model.asked.size());
    }
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "chat: --template: 'x' is no chat format",
        assertThrows(UserException.class, () -> chatIn("x")).getMessage());
    assertEquals(
        "temperature: found -1.0, allowed is at least 0",
        assertThrows(UserException.class, () -> chat("a\n", "--temperature=-1")).getMessage());
    model.answer = CompletableFuture.failedFuture(new UserException("prompt: too long"));
    assertEquals(
        "prompt: too long", assertThrows(UserException.class, () -> chat("a\n")).getMessage());
  }
}

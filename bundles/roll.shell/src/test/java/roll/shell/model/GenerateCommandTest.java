package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.shell.Brackets;
import roll.shell.Characters;
import roll.shell.Gogo;
import roll.shell.Repeating;

/** {@code generate} with a tokenizer of one token per character and a model that repeats. */
class GenerateCommandTest {
  @TempDir Path folder;
  private final Repeating model = new Repeating();
  private final List<Boolean> watching = new ArrayList<>();
  private final GenerateCommand command =
      new GenerateCommand(
          new LocalModels(place -> new Characters(), Brackets::find, model),
          () -> {
            watching.add(true);
            return () -> watching.add(false);
          });

  @Test
  void thePromptItselfIsContinued() {
    assertEquals("Once\n", run("Once"));
    GenerationRequest request = model.asked.getFirst();
    assertEquals(Sampling.greedy(64), request.sampling());
    assertEquals(List.of(0), request.stopTokens());
    assertEquals(42, request.seed());
    assertEquals(List.of(), model.opened.getFirst().worker().devices());
    assertEquals(4 + 64, model.opened.getFirst().sequenceLength());
    assertEquals(folder, model.opened.getFirst().worker().model().folder());
    assertEquals(List.of(true, false), watching);
  }

  @Test
  void aTemplateMakesThePromptAUsersMessage() {
    assertEquals("[user:hi]\n", run("hi", "--template", "brackets"));
    assertEquals(List.of(Characters.END, 0), model.asked.getFirst().stopTokens());
  }

  @Test
  void picturesAreShownBeforeTheText() throws IOException {
    Picture red = Picture.png(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB));
    Picture wide = Picture.png(new BufferedImage(2, 1, BufferedImage.TYPE_INT_RGB));
    Path first = Files.write(folder.resolve("a.png"), red.data());
    Path second = Files.write(folder.resolve("b.png"), wide.data());
    assertEquals(
        "[user:hi]\n",
        run("hi", "--template", "brackets", "--image", first.toString(), "--image=" + second));
    assertEquals(List.of(red, wide), model.asked.getFirst().pictures());
    assertEquals("[user:]\n", run("", "--template", "brackets", "--image", first.toString()));
    assertEquals(
        "generate: --image needs --template, which places the picture; usage: generate <folder>"
            + " <prompt> [--option …]",
        mistake("hi", "--image", first.toString()));
    assertEquals(
        "generate: --image: no file '" + folder.resolve("c.png") + "'",
        mistake("hi", "--template", "brackets", "--image", folder.resolve("c.png").toString()));
    Path text = Files.writeString(folder.resolve("c.txt"), "no picture");
    assertEquals(
        "generate: --image: '" + text + "' is not a picture (allowed: JPEG, PNG, GIF, WebP)",
        mistake("hi", "--template", "brackets", "--image", text.toString()));
  }

  @Test
  void everyOptionIsHeard() {
    String options =
        "--temperature 0.7 --top-p 0.9 --top-k 5 --min-p 0.1 --repetition-penalty 1.2"
            + " --max-new-tokens 9 --min-new-tokens 2 --stop . --stop=end --seed -1 --dtype bf16"
            + " --device 3";
    run(("hi " + options).split(" ", -1));
    assertEquals(
        new Sampling(0.7, 5, 0.9, 0.1, 1.2, 9, 2, List.of(".", "end"), List.of()),
        model.asked.getFirst().sampling());
    assertEquals(-1, model.asked.getFirst().seed());
    assertEquals(Dtype.BF16, model.opened.getFirst().worker().model().dtype());
    assertEquals(List.of(3), model.opened.getFirst().worker().devices());
    run("hi", "--choice", "yes", "--choice", "no");
    assertEquals(List.of("yes", "no"), model.asked.getLast().sampling().choices());
  }

  @Test
  void severalSequencesAreShownOneBehindTheOther() {
    assertEquals(
        "hi\n---\nhi\n---\nhi", run("hi", "--num-return-sequences", "3", "--temperature", "1"));
    assertEquals(3, model.asked.stream().map(GenerationRequest::seed).distinct().count());
    assertEquals(3, model.opened.getFirst().worker().inferBatchSize());
  }

  @Test
  void jsonIsALineASequence() {
    assertEquals("{\"ids\":[104,34],\"text\":\"h\\\"\"}", run("h\"", "--json"));
    assertEquals(
        "{\"ids\":[60],\"text\":\"<\"}\n{\"ids\":[60],\"text\":\"<\"}",
        run("<", "--json", "--num-return-sequences=2", "--temperature=1"));
  }

  @Test
  void anInterruptGivesUpQuietly() {
    model.answer = new CompletableFuture<>();
    try (Gogo gogo = new Gogo(command, "generate")) {
      Thread.currentThread().interrupt(); // found by the wait for the text
      gogo.call(command, folder.toString(), "hi", "--json");
      assertTrue(model.answer.isCancelled());
      assertEquals(130, gogo.session().get("exit"));
    }
  }

  @Test
  void aFailureIsThrownAsItWasAndNothingIsPrinted() {
    model.answer = CompletableFuture.failedFuture(new UserException("prompt: too long"));
    try (Gogo gogo = new Gogo(command, "generate")) {
      UserException e =
          assertThrows(UserException.class, () -> gogo.call(command, folder.toString(), "hi"));
      assertEquals("prompt: too long", e.getMessage());
      assertEquals("", gogo.printed());
    }
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals("generate: --template: 'x' is no chat format", mistake("hi", "--template", "x"));
    assertEquals("generate: the prompt is empty", mistake(""));
    assertEquals(
        "temperature: found -1.0, allowed is at least 0", mistake("hi", "--temperature", "-1"));
    assertEquals(
        "top_p: found 0.0, allowed is above 0 and at most 1", mistake("hi", "--top-p", "0"));
    String usage = "; usage: generate <folder> <prompt> [--option …]";
    assertEquals(
        "generate: --temperature: expected a number, found 'warm'" + usage,
        mistake("hi", "--temperature", "warm"));
    assertEquals(
        "generate: --choice needs a value, found ''" + usage, mistake("hi", "--choice", ""));
    assertEquals(
        "generate: --num-return-sequences: 2 texts would be identical with --temperature 0" + usage,
        mistake("hi", "--num-return-sequences", "2"));
    assertEquals(
        "generate: unknown option --topp; did you mean '--top-p'?" + usage,
        mistake("hi", "--topp", "1"));
    assertEquals("generate: <prompt> is missing" + usage, mistake());
    assertEquals(List.of(), model.opened);
    Path absent = folder.resolve("absent");
    try (Gogo gogo = new Gogo(command, "generate")) {
      UserException e =
          assertThrows(UserException.class, () -> gogo.call(command, absent.toString(), "hi"));
      assertEquals("generate: no folder '" + absent + "'", e.getMessage());
    }
  }

  /** All that is printed and returned. */
  private String run(String... more) {
    try (Gogo gogo = new Gogo(command, "generate")) {
      String[] all = new String[more.length + 1];
      all[0] = folder.toString();
      System.arraycopy(more, 0, all, 1, more.length);
      String returned = gogo.call(command, all);
      String printed = gogo.printed().replace(System.lineSeparator(), "\n");
      return returned == null ? printed : printed + returned;
    }
  }

  private String mistake(String... more) {
    return assertThrows(UserException.class, () -> run(more)).getMessage();
  }
}

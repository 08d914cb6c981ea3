package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.image.Picture;
import roll.api.rollout.ChatFormat;
import roll.image.FolderImageProcessors;
import roll.runtime.vision.PictureTokens;

/** Conversations with pictures as tokens. */
@NullMarked
class PictureChatTest {
  private static final Picture SMALL = VisionModelFolder.picture(1, 1, 0xFF0000);
  private static final Picture WIDE = VisionModelFolder.picture(3, 2, 0x00FF00);

  private final VisionModelFolder folder;

  PictureChatTest(@TempDir Path path) {
    folder = VisionModelFolder.in(path);
  }

  private static Message shown(String text, Picture... pictures) {
    return new Message(
        "user",
        text,
        null,
        IntStream.range(0, pictures.length)
            .mapToObj(i -> new InlinePicture(Math.min(i, text.length()), pictures[i]))
            .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "qwen2_5", "chatml"})
  void aPictureIsAsManyImageTokensAsItHasPlaces(String name) {
    ChatFormat format = folder.format(name);
    assertEquals(VisionModelFolder.IMAGE, format.imageToken());
    int[] opening =
        format.opening(List.of(new Message("system", "Look."), shown("ab", WIDE, SMALL)));
    assertEquals(
        """
        <|im_start|>system
        Look.<|im_end|>
        <|im_start|>user
        <|vision_start|>[6]<|vision_end|>a<|vision_start|>[1]<|vision_end|>b<|im_end|>
        <|im_start|>assistant
        """,
        folder.text(opening));
    int[] next = format.between(folder.tokenizer().encode("x<|im_end|>"), List.of(shown("", WIDE)));
    assertEquals(
        """

        <|im_start|>user
        <|vision_start|>[6]<|vision_end|><|im_end|>
        <|im_start|>assistant
        """,
        folder.text(next));
  }

  @Test
  void aMessageWithoutPicturesIsAStringToTheTemplate() {
    ChatFormat format =
        folder
            .template(
                "{% for m in messages %}{{ m.content if m.content is string else 'parts' }};"
                    + "{% endfor %}")
            .format("native");
    assertEquals("a;b;", folder.text(format.opening(List.of(shown("a"), shown("b")))));
  }

  /** A world cannot show what is not there, nor hide what is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<|image_pad|>",
        "<|vision_start|><|image_pad|><|vision_end|>",
        "a<|video_pad|>b<|image_pad|><|image_pad|>"
      })
  void wordsOfPicturesInATextAreText(String text) {
    for (String name : List.of("native", "qwen2_5")) {
      ChatFormat format = folder.format(name);
      for (List<Message> said : List.of(List.of(shown(text)), List.of(shown(text, WIDE)))) {
        int[] opening = format.opening(said);
        long places = Arrays.stream(opening).filter(t -> t == VisionModelFolder.IMAGE).count();
        assertEquals(said.getFirst().pictures().isEmpty() ? 0 : 6, places);
        assertTrue(folder.text(opening).replace("[6]", "").contains(text), folder.text(opening));
        assertTrue(
            Arrays.stream(opening).noneMatch(t -> t == VisionModelFolder.IMAGE + 1), "a video");
      }
    }
  }

  @Test
  void marksLeaveNoTrace() {
    PictureTokens tokens =
        new PictureTokens(
            new FolderImageProcessors().vision(folder.path()).orElseThrow(), folder.tokenizer());
    for (String text :
        List.of(
            "",
            "<|image_pad|>",
            "x<|vision_end|><|image_pad|>",
            "\uE001",
            "<\uE001|",
            "a\uE001b")) {
      assertEquals(text, String.join("", tokens.pieces(tokens.guarded(text))));
    }
  }

  @Test
  void otherSpecialTokensInATextAreWhatTheyWere() {
    ChatFormat format = folder.format("native");
    assertArrayEquals(
        folder
            .tokenizer()
            .encode("<|im_start|>user\n<|im_end|><|im_end|>\n<|im_start|>assistant\n"),
        format.opening(List.of(shown("<|im_end|>"))));
  }

  @Test
  void aTemplateWithoutPlacesIsRefused() {
    String shows =
        "{%% for m in messages %%}{{ m.content if m.content is string else '%s' }}{%% endfor %%}";
    assertEquals(
        "the chat template has no place for pictures (2 of them)",
        refused("{% for m in messages %}{{ m.content }}{% endfor %}"));
    assertEquals(
        "the chat template has 1 places for 2 pictures", refused(shows.formatted("<|image_pad|>")));
    assertEquals(
        "the chat template has 3 places for 2 pictures",
        refused(shows.formatted("<|image_pad|> <|image_pad|> <|image_pad|>")));
    assertEquals(
        "the chat template sets pictures 1 and 2 side by side, without a token between them",
        refused(shows.formatted("<|image_pad|><|image_pad|>")));
  }

  private @Nullable String refused(String template) {
    ChatFormat format = folder.template(template).format("native");
    return refused(() -> format.opening(List.of(shown("ab", WIDE, SMALL))));
  }

  @Test
  void aTemplateThatFailsOnPartsHasNoPlaceEither() {
    ChatFormat format =
        folder
            .template("{% for m in messages %}{{ m.content + '!' }}{% endfor %}")
            .format("native");
    String message = refused(() -> format.opening(List.of(shown("ab", WIDE))));
    assertTrue(
        message != null && message.startsWith("the chat template does not support pictures: "),
        message);
  }

  @Test
  void aModelThatCannotSeeIsShownNothing() throws Exception {
    String message =
        folder.path()
            + ": a picture for a model that cannot see (one that can has a vision_config in its"
            + " config.json, and a preprocessor_config.json)";
    Files.delete(folder.path().resolve("preprocessor_config.json"));
    for (String name : List.of("native", "qwen2_5")) {
      ChatFormat format = folder.format(name);
      assertEquals(-1, format.imageToken());
      assertEquals(message, refused(() -> format.opening(List.of(shown("ab", WIDE)))));
      assertEquals(message, refused(() -> format.between(new int[0], List.of(shown("", WIDE)))));
    }
    VisionModelFolder.in(folder.path()).write("config.json", "{}");
    assertEquals(-1, folder.format("native").imageToken());
    folder.write("config.json", "{\"vision_config\": {}}");
    assertEquals(
        folder.path().resolve("config.json")
            + ": image_token_id: expected an integer from 1 up, found nothing",
        refused(() -> folder.format("qwen2_5")));
    folder.write("config.json", "{\"vision_config\": {}, \"image_token_id\": 135}");
    assertEquals(
        folder.path() + ": image_token_id: 135 is no token, there are 135",
        refused(() -> folder.format("qwen2_5")));
  }

  @Test
  void whatIsNoPictureIsRefusedByItsPlace() {
    ChatFormat format = folder.format("native");
    byte[] png = WIDE.data();
    byte[] empty = png.clone();
    Arrays.fill(empty, 16, 20, (byte) 0); // its width
    byte[] huge = png.clone();
    Arrays.fill(huge, 16, 24, (byte) 0x3f);
    Map<byte[], String> bad =
        Map.of(
            new byte[0],
            "picture 2 of the prompt: is not a picture (allowed: JPEG, PNG, GIF, WebP)",
            Arrays.copyOf(png, 12),
            "picture 2 of the prompt: a broken picture: ",
            empty,
            "picture 2 of the prompt: ",
            huge,
            "picture 2 of the prompt: 1,061,109,567 by 1,061,109,567 pixels are more than",
            VisionModelFolder.picture(201, 1, 0).data(),
            "picture 2 of the prompt: 5,628 by 28 pixels: a side may be at most 200 times");
    bad.forEach(
        (bytes, message) -> {
          String found =
              refused(() -> format.opening(List.of(shown("ab", WIDE, Picture.of(bytes)))));
          assertTrue(found != null && found.replace("5628", "5,628").startsWith(message), found);
          assertEquals(1, String.valueOf(found).lines().count());
        });
  }

  @Test
  void manyPicturesAreManyPlaces() {
    Picture[] pictures = new Picture[500];
    Arrays.fill(pictures, SMALL);
    int[] opening = folder.format("native").opening(List.of(shown("x".repeat(500), pictures)));
    assertEquals(500, Arrays.stream(opening).filter(t -> t == VisionModelFolder.IMAGE).count());
  }

  private static @Nullable String refused(Executable call) {
    return userError(call);
  }
}

package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.FakeImageProcessor.IMAGE;
import static roll.testkit.FakeImageProcessor.picture;

import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.image.Picture;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.sampling.PictureCatalog;
import roll.sampling.PromptPictures.Slice;
import roll.sampling.RequestValidator;
import roll.sampling.ResponseState;
import roll.testkit.FakeImageProcessor;
import roll.torch.vision.PicturePatches;

/** Tests the pictures of prefill plans. */
final class PrefillPicturesTest {
  private static final Picture WIDE = picture(2, 3, 5);
  private static final Picture OTHER = picture(2, 3, 6);

  /** Two words, six tokens of a picture, a word. */
  private static final int[] PROMPT = {1, 2, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, 3};

  @AutoClose private final RandomModel model;
  private final PictureCatalog catalog =
      new PictureCatalog(
          FakeImageProcessor.VISION,
          new PicturePatches(FakeImageProcessor.VISION, FakeImageProcessor::new));

  PrefillPicturesTest(@TempDir Path folder) throws IOException {
    model =
        new RandomModel(
            folder,
            """
            {"model_type": "qwen2", "hidden_size": 24, "num_attention_heads": 4,
             "num_key_value_heads": 2, "rope_theta": 1000.0, "tie_word_embeddings": true}
            """);
  }

  private static GenerationRequest request(int[] prompt, Picture... pictures) {
    return new GenerationRequest(prompt, Sampling.of(2), List.of(), 1)
        .withPictures(List.of(pictures));
  }

  private List<ResponseState> responses(GenerationRequest... requests) {
    RequestValidator asked =
        new RequestValidator(
            model.models.folder(model.folder), model.tokenizers, catalog, 64, "here");
    return asked.responses(List.of(requests), null);
  }

  private static PrefillPlan plan(List<ResponseState> responses, PrefixCache older, int block) {
    return PrefillPlan.of(responses.stream().map(ResponseState::keys).toList(), older, block);
  }

  /** Equal prompts that show the same are a row, and each block tells its places. */
  @Test
  void blocksHavePlacesOfTheirOwn() {
    List<ResponseState> responses =
        responses(
            request(PROMPT, OTHER),
            request(new int[] {4, 4, 4}),
            request(PROMPT, WIDE),
            request(PROMPT, WIDE));
    PrefillPlan plan = plan(responses, PrefixCache.EMPTY, 12);
    assertEquals(3, plan.rows().size());
    PrefillPictures pictures = PrefillPictures.of(plan, responses);
    assertArrayEquals(new long[] {1, 1, 2, 1, 3, 1}, plan.blocks());
    assertEquals(List.of(new Slice(OTHER, 2, 0, 6), new Slice(WIDE, 2, 0, 6)), pictures.slices());
    assertArrayEquals(new long[] {0, 0, 6, 1, 12, 2}, pictures.ends());
    assertArrayEquals(new long[] {2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7}, pictures.places());
    long[] width = Arrays.copyOfRange(pictures.positions(), 54, 81);
    assertArrayEquals(
        new long[] {
          0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 2, 3, 4, 5, 0, 1, 2, 3, 4, 2, 3, 4, 5
        },
        width);
    assertTrue(Arrays.stream(plan.tokens()).allMatch(token -> token >= 0));
  }

  /** Two rows of a block: places count the tokens of the rows before, padding too. */
  @Test
  void placesCountPadding() {
    List<ResponseState> responses = responses(request(new int[] {4, 4, 4}), request(PROMPT, WIDE));
    PrefillPictures pictures =
        PrefillPictures.of(plan(responses, PrefixCache.EMPTY, 100), responses);
    assertArrayEquals(new long[] {11, 12, 13, 14, 15, 16}, pictures.places());
    assertArrayEquals(new long[] {6, 1}, pictures.ends());
  }

  /** A cached prefix may end within a picture. */
  @Test
  void aCachedPrefixMayEndWithinAPicture() {
    List<ResponseState> responses = responses(request(PROMPT, WIDE));
    try (PrefixCache.Builder builder = new PrefixCache.Builder(1, true)) {
      KvCache older = builder.own(cache());
      builder.release(older, List.of(Arrays.copyOf(responses.getFirst().keys(), 5)));
      try (PrefixCache cache = builder.build()) {
        PrefillPlan plan = plan(responses, cache, 100);
        assertArrayEquals(new long[] {5}, plan.past());
        PrefillPictures pictures = PrefillPictures.of(plan, responses);
        assertEquals(List.of(new Slice(WIDE, 5, 3, 3)), pictures.slices());
        assertArrayEquals(new long[] {0, 1, 2}, pictures.places());
        assertArrayEquals(new long[] {2, 2, 2, 5, 3, 3, 3, 5, 2, 3, 4, 5}, pictures.positions());

        List<ResponseState> others = responses(request(PROMPT, OTHER));
        assertArrayEquals(new long[] {2}, plan(others, cache, 100).past());
      }
    }
  }

  private KvCache cache() {
    return model.device.call(
        () -> {
          NDManager owner = model.device.newManager();
          return new KvCache(owner, owner.create(0f), 16, () -> {});
        });
  }

  @Test
  void textAloneHasNone() {
    List<ResponseState> responses =
        responses(request(IntStream.range(10, 14).toArray()), request(new int[] {4}));
    PrefillPictures pictures =
        PrefillPictures.of(plan(responses, PrefixCache.EMPTY, 100), responses);
    assertTrue(pictures.isEmpty());
    assertArrayEquals(new long[0], pictures.ends());
  }
}

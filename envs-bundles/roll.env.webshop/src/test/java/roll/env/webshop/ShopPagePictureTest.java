package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.env.Episode;
import roll.testkit.TestOptions;

/** The pictures that an agent sees of the shop, as text, as picture, or as both. */
class ShopPagePictureTest {
  private static final WebshopEnvironment ENVIRONMENT = new WebshopEnvironment();

  private static WebshopScenario scenario(Map<String, Object> config) {
    Map<String, Object> all = new HashMap<>(config);
    all.put("num_products", 40);
    return (WebshopScenario)
        ENVIRONMENT.configure(TestOptions.of("env_config", all, ENVIRONMENT.options()));
  }

  /** All that the expert sees on its way to a purchase, text by picture. */
  private static Map<String, int[]> seen(Map<String, Object> config) {
    Map<String, int[]> seen = new LinkedHashMap<>();
    Episode episode = scenario(config).reset(3);
    seen.put(episode.observation(), pixels(episode));
    while (episode.expert().isPresent()) {
      episode.step(episode.respond(episode.expert().get()));
      seen.put(episode.observation(), pixels(episode));
    }
    return seen;
  }

  private static int[] pixels(Episode episode) {
    BufferedImage image = episode.picture().orElse(null);
    if (image == null) {
      return new int[0];
    }
    assertEquals(0, image.getWidth() % 28);
    assertEquals(0, image.getHeight() % 28);
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  @Test
  void thePictureTakesThePlaceOfThePagesWords() {
    Episode episode = scenario(Map.of("observation", "picture")).reset(3);
    String start = episode.observation();
    assertTrue(start.endsWith("\nAvailable actions: search[<content>]"), start);
    assertFalse(start.contains("[SEP]"), start);
    episode.step(episode.respond(episode.expert().orElseThrow()));
    assertEquals("Available actions: click[<button>]", episode.observation());
  }

  @Test
  void bothIsTheTextWithAPicture() {
    Map<String, int[]> text = seen(Map.of());
    Map<String, int[]> both = seen(Map.of("observation", "both"));
    assertEquals(text.keySet(), both.keySet());
    assertTrue(text.values().stream().allMatch(pixels -> pixels.length == 0));
    assertTrue(both.values().stream().allMatch(pixels -> pixels.length > 0));
    Set<Integer> different = new HashSet<>();
    both.values().forEach(pixels -> different.add(Arrays.hashCode(pixels)));
    assertEquals(both.size(), different.size(), "two pages look alike");
  }

  @Test
  void equalPagesHaveEqualPixels() {
    Map<String, int[]> one = seen(Map.of("observation", "both"));
    Map<String, int[]> other = seen(Map.of("observation", "both"));
    one.forEach((text, pixels) -> assertArrayEquals(pixels, other.get(text)));
  }

  @Test
  void aPageWithManyButtonsIsAsHighAsItNeeds() {
    WebshopScenario shop = scenario(Map.of());
    ShopPage.Results results =
        (ShopPage.Results)
            shop.site()
                .search(new ShopPage.Home(), shop.goals().getFirst().instruction())
                .orElseThrow();
    var parts =
        IntStream.range(0, 200)
            .mapToObj(i -> new PageElement(PageElement.Kind.BUTTON, "Button number " + i))
            .collect(Collectors.toList());
    BufferedImage high = ShopPagePicture.draw("Buy!", results, parts);
    assertTrue(high.getHeight() > 504, () -> high.getHeight() + " pixels");
    assertEquals(0, high.getHeight() % 28);
    assertEquals(504, ShopPagePicture.draw("Buy!", new ShopPage.Home(), parts).getHeight());
  }

  @Test
  void wrongValuesAreRefused() {
    assertEquals(
        "env_config.observation: expected one of text, picture, both, found 'html'",
        userError(() -> scenario(Map.of("observation", "html"))));
    // WebShop's own word is the format of the text, and goes with any observation
    scenario(Map.of("observation", "both", "observation_mode", "text"));
  }
}

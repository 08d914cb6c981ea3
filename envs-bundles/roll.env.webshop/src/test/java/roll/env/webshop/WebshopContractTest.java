package roll.env.webshop;

import java.util.Map;
import org.junit.jupiter.api.Nested;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the standard options: the generated catalog, at most ten turns. */
class WebshopContractTest extends EnvironmentContract {
  @Override
  protected Environment environment() {
    return new WebshopEnvironment();
  }

  /** The contract with the page as a picture beside its text. */
  @Nested
  class ShopPictures extends EnvironmentContract {
    @Override
    protected Environment environment() {
      return new WebshopEnvironment();
    }

    @Override
    protected Map<String, Object> config() {
      return Map.of("observation", "both", "num_products", 100);
    }
  }
}

package roll.torch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.torch.LinearBackends.Shape;

/** Products that are wrong are found, however few of them. */
class OneDnnProbeTest {
  private static final Shape ODD = new Shape(37, 23);

  private static boolean exact(String result) {
    String way =
        """
        def convolved(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
          y = torch.linear(x, w, b)
          return %s
        """
            .formatted(result);
    try (Device device = Device.cpu(1)) {
      return device.call(() -> new OneDnnProbe(device, way).exact(List.of(ODD)));
    }
  }

  @Test
  void rightProductsAre() {
    assertTrue(exact("y"));
  }

  @ParameterizedTest
  @CsvSource({
    "y * 1.01",
    "y / 0",
    "y.flip([0])",
    "y if y.shape[0] != 256 else y.flip([1])",
    "y if y.shape[1] != 37 else y.flip([1])"
  })
  void wrongOnesAreNot(String result) {
    assertFalse(exact(result));
  }

  /** The backend that this machine chooses is correct. */
  @Test
  void whatIsChosenIsRight() {
    try (Device device = Device.cpu(1)) {
      Set<Shape> chosen = device.call(() -> device.linear().byOneDnn(List.of(new Shape(96, 96))));
      assertTrue(
          chosen.isEmpty()
              || device.<Boolean>call(
                  () -> new OneDnnProbe(device, OneDnnProbe.CONVOLVED).exact(chosen)));
    }
  }
}

package roll.agent.types;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.image.PictureScale;
import roll.api.tool.ToolCall;

/** The places in a graphical action: lists of two or four numbers, x before y. */
final class GuiPlaces {
  private GuiPlaces() {}

  /** {@code call} with its places in whole pixels of the picture. */
  static ToolCall scaled(ToolCall call, PictureScale scale) {
    Map<String, Object> arguments = new LinkedHashMap<>(call.arguments());
    arguments.replaceAll((_, value) -> value instanceof List<?> box ? scaled(box, scale) : value);
    return ToolCall.of(call.tool(), arguments);
  }

  private static List<Object> scaled(List<?> box, PictureScale scale) {
    List<Object> places = new ArrayList<>();
    for (int i = 0; i < box.size(); i++) {
      double seen = ((Number) box.get(i)).doubleValue();
      places.add(i % 2 == 0 ? scale.x(seen) : scale.y(seen));
    }
    return List.copyOf(places);
  }
}

package roll.cluster.inference.codec;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import roll.api.image.Picture;

/** Pictures that have come for calls that follow, by the numbers of these. For all threads. */
public final class ShownPictures {
  private final Map<Long, List<Picture>> shown = new ConcurrentHashMap<>();

  /** Some pictures of the call {@code number} have come, which follows. */
  public void add(long number, List<Picture> pictures) {
    shown.merge(number, pictures, (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
  }

  /** All pictures that came for the call {@code number}, in their order; nobody else gets them. */
  public List<Picture> take(long number) {
    List<Picture> pictures = shown.remove(number);
    return pictures == null ? List.of() : pictures;
  }

  /** No call follows any more. */
  public void clear() {
    shown.clear();
  }
}

package roll.runtime.page;

import java.nio.file.Path;
import java.util.List;
import roll.runtime.serving.ServedPlace;

/**
 * What is to be served, where and for whom.
 *
 * @param place where to listen; its key is the token that beyond loopback every request needs
 * @param folders below which runs are looked for, beside those of this system
 * @param readOnly whether nothing can be changed from the page
 * @param deploys whether jars can be deployed from the page
 */
public record PageOrder(ServedPlace place, List<Path> folders, boolean readOnly, boolean deploys) {
  /** An order whose folders nobody changes. */
  public PageOrder {
    folders = List.copyOf(folders);
  }
}

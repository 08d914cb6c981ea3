package roll.ui;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.runtime.page.PageOrder;
import roll.runtime.pipeline.Trainer;
import roll.ui.run.RunEndpoints;
import roll.ui.run.RunFolders;
import roll.ui.web.Answer;
import roll.ui.web.Endpoint;
import roll.ui.web.Patterns;

/** All that the page answers. */
final class Routes {
  private Routes() {}

  static Patterns of(Trainer trainer, PageOrder order, String version) {
    RunFolders runs = new RunFolders(trainer, order.folders());
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put("GET /api/about", _ -> about(order, version));
    all.putAll(new RunEndpoints(runs).endpoints());
    return new Patterns(all);
  }

  private static Answer about(PageOrder order, String version) {
    return new Answer.Json(
        Map.of(
            "version",
            version,
            "readOnly",
            order.readOnly(),
            "deploy",
            order.deploys() && !order.readOnly()));
  }
}

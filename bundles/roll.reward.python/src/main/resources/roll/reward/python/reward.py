import importlib.util

path, name = sys.argv[1:3]
sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # modules beside the file
spec = importlib.util.spec_from_file_location('custom_reward', path)
module = importlib.util.module_from_spec(spec)
sys.modules['custom_reward'] = module
spec.loader.exec_module(module)
function = getattr(module, name, None)
if not callable(function):
    sys.exit(f'{path} has no function {name}')
keywords = {}


def answer(request):
    if request['op'] == 'describe':
        keywords.update(request['options'])
        return {}
    score = function(data_source=request['data_source'], solution_str=request['solution_str'],
                     ground_truth=request['ground_truth'], extra_info=request['extra_info'], **keywords)
    details = dict(score) if isinstance(score, dict) else {}
    score = float(details.pop('score') if isinstance(score, dict) else score[0] if isinstance(score, (list, tuple)) else score)
    return {'score': score, 'details': {name: float(value) for name, value in details.items()
                                        if isinstance(value, (bool, int, float)) or hasattr(value, 'item')}}


serve(answer)
